// A view with what the pages ask of it: the reviews of a paper, its statistics, where rankings contradict scores.
import type { Schemas } from "../api/client";
import { statistics, type Statistics } from "./statistics";

export type View = Schemas["View"];
export const OUTSIDE = -1;

export const MODES = ["given", "dequantized", "percentile"] as const;
export type Mode = (typeof MODES)[number];
export const MODE_NAMES: Record<Mode, string> = {
  given: "Scores and rankings",
  dequantized: "Dequantized",
  percentile: "Percentiles",
};

export interface Run {
  view: View;
  papers: number;
  reviews: number;
  /** The reviews of a paper, in the order that sums take. */
  reviewsOf: number[][];
  /** The place of a paper by its id as text. */
  place: Map<string, number>;
  statistics: Record<Mode, Statistics[]>;
  /** How far the mean of a paper moved. */
  moved: number[];
  /** Reviews whose reviewer ranks the paper against their own scores. */
  contradicts: Set<number>;
  contradicted: Set<number>; // papers with such a review
  /** The comparisons that bind a review, by its place. */
  bindingsOf: Map<number, number[]>;
}

export function valuesOf(view: View, mode: Mode): number[] {
  if (mode === "given") return view.reviews.score;
  return mode === "dequantized" ? view.reviews.dequantized : view.reviews.percentile;
}

export function openRun(view: View): Run {
  const papers = view.papers.paper.length;
  const reviewsOf: number[][] = Array.from({ length: papers }, () => []);
  view.reviews.paper.forEach((paper, review) => reviewsOf[paper]?.push(review));
  const of = (mode: Mode): Statistics[] => {
    const values = valuesOf(view, mode);
    return reviewsOf.map((reviews) =>
      statistics(reviews.map((review) => values[review] as number)),
    );
  };
  const byMode = {
    given: of("given"),
    dequantized: of("dequantized"),
    percentile: of("percentile"),
  };
  const byReviewer = reviewsByReviewer(view);
  const contradicts = contradictingReviews(view, byReviewer);
  return {
    view,
    papers,
    reviews: view.reviews.paper.length,
    reviewsOf,
    place: new Map(view.papers.paper.map((paper, index) => [String(paper), index])),
    statistics: byMode,
    moved: byMode.dequantized.map((after, paper) => after.mean - (byMode.given[paper]?.mean ?? 0)),
    contradicts,
    contradicted: new Set([...contradicts].map((review) => view.reviews.paper[review] as number)),
    bindingsOf: bindingReviews(view, byReviewer),
  };
}

/** The review of each paper, by reviewer. */
function reviewsByReviewer(view: View): Map<number, number>[] {
  const byReviewer: Map<number, number>[] = view.reviewers.map(() => new Map());
  view.reviews.reviewer.forEach((reviewer, review) =>
    byReviewer[reviewer]?.set(view.reviews.paper[review] as number, review),
  );
  return byReviewer;
}

function bindingReviews(view: View, byReviewer: Map<number, number>[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  view.bindings.reviewer.forEach((reviewer, binding) => {
    for (const paper of [view.bindings.better[binding], view.bindings.worse[binding]]) {
      const review = byReviewer[reviewer]?.get(paper as number);
      if (review === undefined) continue;
      const known = found.get(review);
      if (known) known.push(binding);
      else found.set(review, [binding]);
    }
  });
  return found;
}

/** A paper ranked above another with a higher score by the same reviewer: both reviews contradict. */
function contradictingReviews(view: View, byReviewer: Map<number, number>[]): Set<number> {
  const found = new Set<number>();
  const compare = (reviewer: number, better: number, worse: number) => {
    const above = byReviewer[reviewer]?.get(better);
    const below = byReviewer[reviewer]?.get(worse);
    if (above === undefined || below === undefined) return;
    if ((view.reviews.score[above] as number) < (view.reviews.score[below] as number)) {
      found.add(above);
      found.add(below);
    }
  };
  view.rankings.forEach(({ groups, pairs }, reviewer) => {
    groups.forEach((group, index) => {
      for (const lower of groups.slice(index + 1))
        for (const better of group) for (const worse of lower) compare(reviewer, better, worse);
    });
    for (const [better, worse] of pairs) compare(reviewer, better, worse);
  });
  return found;
}
