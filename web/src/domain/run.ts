// A run as the pages use it: the view from the server, and what is computed from it once.
import type { View } from "../api/types";
import type { Marks } from "./decisions";
import { STATISTICS, type Statistic } from "./glossary";

export type { View };
/** In rankings and bindings: a paper outside the viewer's scope. */
export const OUTSIDE = -1;

export const MODES = ["dequantized", "given"] as const;
export type Mode = (typeof MODES)[number];
export const MODE_NAMES: Record<Mode, string> = {
  dequantized: "New scores",
  given: "Given scores",
};

export interface Run {
  view: View;
  papers: number;
  reviews: number;
  /** The reviews of each paper, in the order in which sums are taken. */
  reviewsOf: number[][];
  /** The index of a paper by its id as text. */
  paperIndex: Map<string, number>;
  statistics: Record<Mode, Statistics[]>;
  /** How far the mean of each paper moved; NaN without scores. */
  moved: number[];
  /** The mean percentile of each paper's reviews. */
  percentiles: number[];
  /** Reviews whose reviewer ranks the paper against their own scores, each with the review of theirs
   * that contradicts it most. */
  contradicts: Map<number, number>;
  contradicted: Set<number>; // papers with such a review
  /** The comparisons that bind each review. */
  bindingsOf: Map<number, number[]>;
  marks: Marks | null; // the chairs', where the reader may see them
}

const caches = new WeakMap<object, Map<string, unknown>>();

/** Compute a value that belongs to an object once, and return it from a cache afterwards. */
export function cached<T>(owner: object, name: string, make: () => T): T {
  const names = caches.get(owner) ?? new Map<string, unknown>();
  caches.set(owner, names);
  if (!names.has(name)) names.set(name, make());
  return names.get(name) as T;
}

/** The same run with the chairs' marks; what is cached for its view stays. */
export const withMarks = (run: Run, marks: Marks | null): Run => ({ ...run, marks });

export function valuesOf(view: View, mode: Mode): number[] {
  return mode === "given" ? view.reviews.score : view.reviews.dequantized;
}

/** A number of a column; NaN outside of it. */
export const numberAt = (column: ArrayLike<number>, index: number): number =>
  column[index] ?? Number.NaN;

/** Compare two numbers, NaN last in either direction. */
export function compareLastNaN(one: number, two: number, sign = 1): number {
  if (Number.isNaN(one) || Number.isNaN(two))
    return Number(Number.isNaN(one)) - Number(Number.isNaN(two));
  return sign * (one - two);
}

type ReviewColumn = keyof View["reviews"];
export type Review = Record<ReviewColumn | "move", number>;

/** One row of the columns of reviews, with how far its score moved. */
export function reviewAt({ reviews }: View, review: number): Review {
  const columns = Object.entries(reviews).map(([name, column]) => [name, numberAt(column, review)]);
  const row = Object.fromEntries(columns) as Record<ReviewColumn, number>;
  return { ...row, move: row.dequantized - row.score };
}

/** A statistic of a paper; NaN when it has no reviews. */
export const statisticOf = (run: Run, mode: Mode, paper: number, name: Statistic): number =>
  run.statistics[mode][paper]?.[name] ?? Number.NaN;

export function openRun(view: View): Run {
  const papers = view.papers.paper.length;
  const reviewsOf: number[][] = Array.from({ length: papers }, () => []);
  view.reviews.paper.forEach((paper, review) => reviewsOf[paper]?.push(review));
  const of = (values: number[]): Statistics[] =>
    reviewsOf.map((own) => statistics(own.map((review) => numberAt(values, review))));
  const byMode = {
    given: of(view.reviews.score),
    dequantized: of(view.reviews.dequantized),
  };
  const byReviewer = reviewsByReviewer(view);
  const contradicts = contradictingReviews(view, byReviewer);
  return {
    view,
    papers,
    reviews: view.reviews.paper.length,
    reviewsOf,
    paperIndex: new Map(view.papers.paper.map((paper, index) => [String(paper), index])),
    statistics: byMode,
    moved: byMode.dequantized.map((after, paper) => after.mean - (byMode.given[paper]?.mean ?? 0)),
    percentiles: of(view.reviews.percentile).map(({ mean }) => mean),
    contradicts,
    contradicted: new Set(
      [...contradicts.keys()].map((review) => numberAt(view.reviews.paper, review)),
    ),
    bindingsOf: bindingReviews(view, byReviewer),
    marks: null,
  };
}

/** Whether the viewer gets the scores of the run, or an order of papers and given scores alone. */
export const hasScores = ({ order }: View): boolean => order === null;

/** The review of each paper, by reviewer. */
function reviewsByReviewer(view: View): Map<number, number>[] {
  const byReviewer: Map<number, number>[] = view.reviewers.map(() => new Map());
  view.reviews.reviewer.forEach((reviewer, review) =>
    byReviewer[reviewer]?.set(numberAt(view.reviews.paper, review), review),
  );
  return byReviewer;
}

function bindingReviews(view: View, byReviewer: Map<number, number>[]): Map<number, number[]> {
  const bindingsOf = new Map<number, number[]>();
  view.bindings.reviewer.forEach((reviewer, binding) => {
    for (const papers of [view.bindings.better, view.bindings.worse]) {
      const review = byReviewer[reviewer]?.get(numberAt(papers, binding));
      if (review === undefined) continue;
      const bindings = bindingsOf.get(review);
      if (bindings) bindings.push(binding);
      else bindingsOf.set(review, [binding]);
    }
  });
  return bindingsOf;
}

/** A paper ranked above another with a higher score by the same reviewer: both reviews contradict. */
function contradictingReviews(view: View, byReviewer: Map<number, number>[]): Map<number, number> {
  const contradicting = new Map<number, number>();
  const gap = (one: number, two: number) =>
    Math.abs(numberAt(view.reviews.score, one) - numberAt(view.reviews.score, two));
  const keepWorst = (review: number, other: number) => {
    const worst = contradicting.get(review);
    if (worst === undefined || gap(review, other) > gap(review, worst))
      contradicting.set(review, other);
  };
  const compare = (reviewer: number, better: number, worse: number) => {
    const above = byReviewer[reviewer]?.get(better);
    const below = byReviewer[reviewer]?.get(worse);
    if (above === undefined || below === undefined) return;
    if (numberAt(view.reviews.score, above) >= numberAt(view.reviews.score, below)) return;
    keepWorst(above, below);
    keepWorst(below, above);
  };
  view.rankings.forEach(({ groups, pairs }, reviewer) => {
    groups.forEach((group, index) => {
      for (const lower of groups.slice(index + 1))
        for (const better of group) for (const worse of lower) compare(reviewer, better, worse);
    });
    for (const [better, worse] of pairs) compare(reviewer, better, worse);
  });
  return contradicting;
}

export type Statistics = Record<Statistic, number>;

const eachStatistic = (value: (name: Statistic) => number): Statistics =>
  Object.fromEntries(STATISTICS.map((name) => [name, value(name)])) as Statistics;

/** The scores of one paper: in the order of the reviews, and ascending. */
interface Scores {
  values: number[];
  ascending: number[];
}

const at = (values: number[], place: number): number => values[place] ?? Number.NaN;
const lowest = ({ ascending }: Scores): number => at(ascending, 0);
const highest = ({ ascending }: Scores): number => at(ascending, ascending.length - 1);

/** Sums run in the order of the reviews, as in papers.csv: equal to the last bit. */
const STATISTIC_FUNCTIONS: Record<Statistic, (scores: Scores) => number> = {
  min: lowest,
  max: highest,
  mean: (scores) => {
    let sum = 0;
    for (const value of scores.values) sum += value;
    // Rounding may put the mean of equal values outside their range.
    return Math.min(Math.max(sum / scores.values.length, lowest(scores)), highest(scores));
  },
  median: ({ ascending }) =>
    (at(ascending, (ascending.length - 1) >> 1) + at(ascending, ascending.length >> 1)) / 2,
  spread: (scores) => highest(scores) - lowest(scores),
};

/** The statistics of a paper, as papers.csv has them. */
export function statistics(values: number[]): Statistics {
  const scores = { values, ascending: values.toSorted((a, b) => a - b) };
  return eachStatistic((name) => STATISTIC_FUNCTIONS[name](scores));
}
