// A reviewer's ballot for tests.
import type { Ballot, BallotContent, BallotPaper } from "../../src/features/ballot/useBallot";

export const LEVELS = [1, 2, 3, 4, 5];

export function papers(scores: Record<string, number | null>): BallotPaper[] {
  return Object.entries(scores).map(([paper, score]) => ({
    paper,
    title: `Title ${paper}`,
    score,
    level: score === null ? null : LEVELS.indexOf(score),
  }));
}

export function content(changes: Partial<BallotContent> = {}): BallotContent {
  const empty = { groups: [], cannot_say: [], unplaced: [], answers: [], scores: {} };
  return { ...empty, comparisons: [], ...changes };
}

export function ballot(changes: Partial<Ballot> = {}): Ballot {
  const own = papers({ "7": 4, "12": 2, "30": 5 });
  return {
    id: "b".repeat(32),
    collection: {
      title: "Testing Days",
      instructions: "Best first, please.",
      options: { ties: true, top_k: null, may_skip: true, show_scores: true, mode: "list" },
      deadline: null,
      state: "open",
      levels: LEVELS,
    },
    reviewer: "Ada",
    papers: own,
    version: 0,
    saved_at: null,
    submitted_at: null,
    submitted_version: null,
    receipt: null,
    order: null,
    content: content({ unplaced: own.map(({ paper }) => paper) }),
    contradictions: [],
    next_pair: null,
    ...changes,
  };
}
