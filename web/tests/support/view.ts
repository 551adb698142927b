// Small views for tests: papers by id, each with its reviews' scores.
import { openRun, type Run, type View } from "../../src/domain/run";

export function runOf(papers: Record<string, number[]>, changes: Partial<View["run"]> = {}): Run {
  const ids = Object.keys(papers);
  const reviews = ids.flatMap((id, paper) =>
    (papers[id] ?? []).map((score, reviewer) => ({ paper, reviewer, score })),
  );
  const column = <T>(of: (review: (typeof reviews)[number]) => T): T[] => reviews.map(of);
  const nothing = column(() => 0);
  const most = Math.max(0, ...Object.values(papers).map((scores) => scores.length));
  return openRun({
    conference: "Testing Days",
    name: "A run",
    finished: null,
    viewer: { role: "chair", name: null, reviewer_names: true },
    disclosure: null,
    run: {
      lam: 4,
      selection: null,
      settings: {
        lam: "auto",
        epsilon: 0.05,
        scale: [1, 2, 3],
        scale_origin: "",
        conflicts: "refuse",
        unranked: "apart",
      },
      certificate: { max_error: 0, max_violation: 0 },
      issues: [],
      inputs: [],
      read: [],
      versions: {},
      ...changes,
    },
    scale: { levels: [1, 2, 3], lower: [0.5, 1.5, 2.5], upper: [1.5, 2.5, 3.5], symbols: null },
    papers: {
      paper: ids.map(Number),
      title: ids.map((id) => `Title ${id}`),
      track: null,
      area_chair: null,
      decision: null,
    },
    reviewers: Array.from({ length: most }, (_, index) => `R${index}`),
    reviews: {
      paper: column(({ paper }) => paper),
      reviewer: column(({ reviewer }) => reviewer),
      score: column(({ score }) => score),
      dequantized: column(({ score }) => score + 0.1),
      percentile: nothing,
      lower: nothing,
      upper: nothing,
      consensus: nothing,
      ranking: nothing,
      cell: nothing,
    },
    order: null,
    rankings: Array.from({ length: most }, () => ({ groups: [], pairs: [] })),
    bindings: { reviewer: [], better: [], worse: [], lifts: [], lowers: [] },
    diagnostics: [],
    groups: "",
    estimates: null,
    without: null,
  });
}
