// A small run with everything in it: ties, a star, a contradiction, a cell's end, a missing title.
import { passing, ordered, rankByOf } from "../../src/domain/order";
import type { TableState } from "../../src/domain/tableState";
import { openRun, OUTSIDE, type Run, type View } from "../../src/domain/run";

export const sampleView = (changes: Partial<View> = {}): View => ({
  conference: "Testing Days",
  name: "First run",
  finished: "2026-03-01T10:00:00Z",
  viewer: { role: "chair", name: null, reviewer_names: true },
  disclosure: null,
  run: {
    lam: 2,
    selection: { lam: [0.5, 2, 8], error: [0.4, 0.2, 0.3] },
    settings: {
      lam: "auto",
      epsilon: 0.05,
      scale: [1, 2, 3, 4, 5],
      scale_origin: "inferred from the scores",
      conflicts: "scores",
      unranked: "apart",
    },
    certificate: { max_error: 3.2e-10, max_violation: 0 },
    issues: [
      {
        kind: "contradiction",
        message: "reviewer Bo ranks 10 above 7, against their own scores",
        where: ["reviews.csv, line 3"],
        advice: "ask the reviewer",
        action: "comparison set aside",
        count: 1,
      },
    ],
    inputs: [{ file: "reviews.csv", sha256: "ab".repeat(32) }],
    read: ["reviews.csv: table"],
    versions: { unround: "1.0" },
  },
  scale: {
    levels: [1, 2, 3, 4, 5],
    lower: [0.5, 1.5, 2.5, 3.5, 4.5],
    upper: [1.5, 2.5, 3.5, 4.5, 5.5],
    symbols: null,
  },
  papers: {
    paper: [2, 7, 10, 30],
    title: ["Zebras", "apples", null, "Bridges"],
    track: ["Theory", "Systems", "Theory", "Systems"],
    area_chair: ["Ann", "Ann", "Bob", "Bob"],
    decision: null,
  },
  reviewers: ["Al", "Bo", "Reviewer 3"],
  reviews: {
    paper: [0, 1, 3, 0, 1, 2, 0, 2, 3],
    reviewer: [0, 0, 0, 1, 1, 1, 2, 2, 2],
    score: [3, 3, 5, 4, 4, 3, 2, 4, 5],
    dequantized: [3.214, 2.9, 4.6, 3.8, 4, 3.3, 2.5, 4.1, 5],
    percentile: [30, 20, 80, 50, 60, 40, 10, 70, 90],
    lower: [2.5, 2.5, 4.5, 3.5, 3.5, 2.5, 1.5, 3.5, 4.5],
    upper: [3.5, 3.5, 5.5, 4.5, 4.5, 3.5, 2.5, 4.5, 5.5],
    consensus: [0.18, -0.1, -0.4, -0.2, 0.15, 0.3, 0.8, 0.1, 0],
    ranking: [0.034, 0, 0, 0, -0.15, 0, 0, 0, 0],
    cell: [0, 0, 0, 0, 0, 0, -0.3, 0, 0],
  },
  order: null,
  rankings: [
    { groups: [[3], [0], [1, OUTSIDE]], pairs: [] },
    { groups: [[2], [1]], pairs: [] },
    { groups: [], pairs: [[3, 2]] },
  ],
  bindings: {
    reviewer: [0, 0, 1],
    better: [0, OUTSIDE, 0],
    worse: [1, 0, 1],
    lifts: [0.05, 0.01, -0.1],
    lowers: [0.05, 0.016, -0.15],
  },
  diagnostics: [],
  groups: "",
  without: null,
  estimates: null,
  ...changes,
});

export const sampleRun = (changes: Partial<View> = {}): Run => openRun(sampleView(changes));

/** The sample as an area chair sees it who gets the order alone. */
export function orderView(changes: Partial<View> = {}): View {
  const view = sampleView();
  const { paper, reviewer, score } = view.reviews;
  const none = {
    dequantized: [],
    percentile: [],
    lower: [],
    upper: [],
    consensus: [],
    ranking: [],
    cell: [],
  };
  return {
    ...view,
    viewer: { role: "area_chair", name: "Ann", reviewer_names: false },
    disclosure: "order",
    finished: "2026-03-01",
    run: {
      ...view.run,
      lam: null,
      settings: { ...view.run.settings, lam: null },
      selection: null,
      certificate: null,
    },
    reviews: { paper, reviewer, score, ...none },
    bindings: { reviewer: [], better: [], worse: [], lifts: [], lowers: [] },
    order: [3, null, 1, 2],
    ...changes,
  };
}

/** The papers that the table shows, in its order. */
export function shownPapers(
  run: Run,
  { mode, sort, filter, accept }: Pick<TableState, "mode" | "sort" | "filter" | "accept">,
): number[] {
  const context = { mode, filter, accept, rankBy: rankByOf(sort) };
  return passing(run, context, ordered(run, mode, sort, accept));
}
