// A run as the pages use it: the view from the server, and what is computed from it once.
import type { View } from "../api/schema";
import type { Marks } from "./decisions";
import type { Statistic } from "./glossary";

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
  /** Reviews whose reviewer ranks the paper against their own scores, each with the review of theirs
   * that contradicts it most. */
  contradicts: Map<number, number>;
  contradicted: Set<number>; // papers with such a review
  marks: Marks | null; // the chairs', where the reader may see them
}

/** Have a function compute its answer once for each view of a run and each choice of words. What follows the
 * chairs' marks, which are not in the view, cannot be computed so. */
export function once<Owner extends Pick<Run, "view">, Words extends unknown[], Answer>(
  make: (run: Owner, ...words: Words) => Answer,
) {
  const answers = new WeakMap<View, Map<string, Answer>>();
  return (run: Owner, ...words: Words): Answer => {
    const known = answers.get(run.view) ?? new Map<string, Answer>();
    answers.set(run.view, known);
    const key = words.join(" ");
    const answer = known.get(key) ?? make(run, ...words);
    known.set(key, answer);
    return answer;
  };
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

/** A statistic of every paper; NaN without reviews. */
export const statisticsOf = once(({ view, reviewsOf }: Run, mode: Mode, name: Statistic) => {
  const values = valuesOf(view, mode);
  return Float64Array.from(reviewsOf, (own) =>
    STATISTIC_FUNCTIONS[name](own.map((review) => numberAt(values, review))),
  );
});

export const statisticOf = (run: Run, mode: Mode, paper: number, name: Statistic): number =>
  numberAt(statisticsOf(run, mode, name), paper);

/** How far the mean of each paper moved; NaN without scores. */
export const movesOf = once((run: Run) =>
  statisticsOf(run, "dequantized", "mean").map(
    (now, paper) => now - statisticOf(run, "given", paper, "mean"),
  ),
);

/** The mean percentile of each paper's reviews. */
export const percentilesOf = once(({ view, reviewsOf }: Run) =>
  Float64Array.from(reviewsOf, (own) =>
    STATISTIC_FUNCTIONS.mean(own.map((review) => numberAt(view.reviews.percentile, review))),
  ),
);

export function openRun(view: View): Run {
  const papers = view.papers.paper.length;
  const reviewsOf: number[][] = Array.from({ length: papers }, () => []);
  view.reviews.paper.forEach((paper, review) => reviewsOf[paper]?.push(review));
  const contradicts = contradictingReviews(view);
  return {
    view,
    papers,
    reviews: view.reviews.paper.length,
    reviewsOf,
    paperIndex: new Map(view.papers.paper.map((paper, index) => [String(paper), index])),
    contradicts,
    contradicted: new Set(
      [...contradicts.keys()].map((review) => numberAt(view.reviews.paper, review)),
    ),
    marks: null,
  };
}

/** Whether the viewer gets the scores of the run, or an order of papers and given scores alone. */
export const hasScores = ({ order }: View): boolean => order === null;

/** The reviews of each reviewer. */
const reviewsBy = once(({ view }: Pick<Run, "view">) => {
  const reviewsOf: number[][] = view.reviewers.map(() => []);
  view.reviews.reviewer.forEach((reviewer, review) => reviewsOf[reviewer]?.push(review));
  return reviewsOf;
});

/** The review that a reviewer wrote of a paper; undefined for a paper that they did not review. */
export const reviewBy = (view: View, reviewer: number, paper: number): number | undefined =>
  reviewsBy({ view })[reviewer]?.find((review) => view.reviews.paper[review] === paper);

/** The comparisons that bind each review. */
export const bindingsOf = (run: Run, review: number): number[] =>
  bindingsByReview(run).get(review) ?? [];

const bindingsByReview = once(({ view }: Run) => {
  const bindings = new Map<number | undefined, number[]>();
  view.bindings.reviewer.forEach((reviewer, binding) => {
    for (const papers of [view.bindings.better, view.bindings.worse]) {
      const bound = reviewBy(view, reviewer, numberAt(papers, binding));
      bindings.set(bound, [...(bindings.get(bound) ?? []), binding]);
    }
  });
  return bindings;
});

/** A paper ranked above another with a higher score by the same reviewer: both reviews contradict. */
function contradictingReviews(view: View): Map<number, number> {
  const contradicting = new Map<number, number>();
  const { score } = view.reviews;
  const gap = (one: number, two: number) => Math.abs(numberAt(score, one) - numberAt(score, two));
  const keepWorst = (review: number, other: number) => {
    const worst = contradicting.get(review);
    if (worst === undefined || gap(review, other) > gap(review, worst))
      contradicting.set(review, other);
  };
  const compare = (above: number | undefined, below: number | undefined) => {
    if (above === undefined || below === undefined) return;
    if (numberAt(score, above) >= numberAt(score, below)) return;
    keepWorst(above, below);
    keepWorst(below, above);
  };
  view.rankings.forEach(({ groups, pairs }, reviewer) => {
    const reviews = groups.map((group) => group.map((paper) => reviewBy(view, reviewer, paper)));
    reviews.forEach((group, index) => {
      for (const above of group)
        for (let lower = index + 1; lower < reviews.length; lower++)
          for (const below of reviews[lower] ?? []) compare(above, below);
    });
    for (const [better, worse] of pairs)
      compare(reviewBy(view, reviewer, better), reviewBy(view, reviewer, worse));
  });
  return contradicting;
}

const lowest = (values: number[]): number => (values.length ? Math.min(...values) : Number.NaN);
const highest = (values: number[]): number => (values.length ? Math.max(...values) : Number.NaN);

/** The statistics of a paper's scores, as papers.csv has them. Sums run in the order of the reviews:
 * equal to the last bit. */
export const STATISTIC_FUNCTIONS: Record<Statistic, (values: number[]) => number> = {
  min: lowest,
  max: highest,
  mean: (values) => {
    let sum = 0;
    for (const value of values) sum += value;
    // Rounding may put the mean of equal values outside their range.
    return Math.min(Math.max(sum / values.length, lowest(values)), highest(values));
  },
  median: (values) => {
    const ascending = values.toSorted((a, b) => a - b);
    const at = (index: number) => numberAt(ascending, index);
    return (at((ascending.length - 1) >> 1) + at(ascending.length >> 1)) / 2;
  },
  spread: (values) => highest(values) - lowest(values),
};
