// Why a paper changed its place: the rankings that hold its scores, the pull of its other reviews.
import { fixed, LEAST_MOVE } from "./format";
import { reviewerTitle } from "./rankings";
import { hasDistances, numberAt, OUTSIDE, type Run } from "./run";
import { listed, othersText } from "./sentences";
import type { Places, Ruling } from "./places";

interface Asked {
  places: Places;
  ruling: Ruling;
}

/** The reasons in words, the strongest first; null where the place did not change or none is known. */
export function whyPlaced(run: Run, paper: number, { places, ruling }: Asked): string | null {
  const change = numberAt(places.change, paper);
  if (!hasDistances(run.view)) return null;
  // The spread has no direction that rankings or reviews would push it in.
  if (!change || Number.isNaN(change) || ruling.statistic === "spread") return null;
  const sign = change > 0 === ruling.desc ? 1 : -1;
  const tiedWith = (other: number) => places.before.first[other] === places.before.first[paper];
  const reasons = [
    { size: sign * meanOf(run, paper, "ranking"), text: rankingReason(run, paper, sign, tiedWith) },
    { size: sign * meanOf(run, paper, "consensus"), text: consensusReason(run, paper, sign) },
  ].filter(({ size }) => size >= LEAST_MOVE);
  if (!reasons.length) return othersMoved(numberAt(run.moved, paper), sign);
  reasons.sort((a, b) => b.size - a.size);
  return listed(
    reasons.map(({ text }) => text),
    ", and ",
  );
}

/** Where nothing pushes the paper itself that way, it is the others that moved. */
function othersMoved(own: number, sign: number): string {
  if (Math.abs(own) < LEAST_MOVE) return "other papers moved, and its own mean did not";
  return `other papers moved further ${sign > 0 ? "down" : "up"}`;
}

/** The mean of a part of the moves of a paper's reviews. */
function meanOf(run: Run, paper: number, part: "ranking" | "consensus"): number {
  const reviews = run.reviewsOf[paper] ?? [];
  const total = reviews.reduce((sum, review) => sum + numberAt(run.view.reviews[part], review), 0);
  return total / reviews.length;
}

function consensusReason(run: Run, paper: number, sign: number): string {
  const by = fixed(Math.abs(meanOf(run, paper, "consensus")), 3);
  return `its reviews pull each other ${sign > 0 ? "up" : "down"} (by ${by} on average)`;
}

/** "Reviewers A and C rank it over papers 1024 and 77" */
function rankingReason(
  run: Run,
  paper: number,
  sign: number,
  first: (other: number) => boolean,
): string {
  const { reviewers, others } = pushing(run, paper, sign);
  if (!others.length) return `its reviewers' rankings push it ${sign > 0 ? "up" : "down"}`;
  const sorted = others.toSorted((a, b) => Number(first(b)) - Number(first(a)));
  const papers = othersText(run, sorted);
  const names = namesOf(run, reviewers);
  const rank = reviewers.length === 1 ? "ranks" : "rank";
  return sign > 0 ? `${names} ${rank} it over ${papers}` : `${names} ${rank} ${papers} over it`;
}

/** The comparisons that push a paper's scores up or down: who made them, and with which papers. */
function pushing(run: Run, paper: number, sign: number) {
  const { better, worse, lifts, lowers, reviewer } = run.view.bindings;
  const [ours, theirs, force] = sign > 0 ? [better, worse, lifts] : [worse, better, lowers];
  const reviewers = new Set<number>();
  const others = new Set<number>();
  let stars = 0; // each stands for a paper of its own
  for (const review of run.reviewsOf[paper] ?? [])
    for (const binding of run.bindingsOf.get(review) ?? []) {
      // A bound on papers that are "about the same" has a negative force.
      if (ours[binding] !== paper || numberAt(force, binding) <= 0) continue;
      reviewers.add(numberAt(reviewer, binding));
      const other = numberAt(theirs, binding);
      if (other === OUTSIDE) stars += 1;
      else others.add(other);
    }
  const outside = Array.from({ length: stars }, () => OUTSIDE);
  return { reviewers: [...reviewers], others: [...others, ...outside] };
}

const MOST_NAMED = 3;

/** "Reviewers 3 and 7", "Ann and Bo", "Ann, Bo, Cy and 2 more" */
function namesOf(run: Run, reviewers: number[]): string {
  const names = reviewers.map((reviewer) => reviewerTitle(run.view, reviewer));
  const numbers = names.map((name) => /^Reviewer (\w+)$/.exec(name)?.[1]);
  const same = names.length > 1 && numbers.every((number) => number !== undefined);
  const shown = (same ? (numbers as string[]) : names).slice(0, MOST_NAMED);
  const rest = names.length - shown.length;
  const text = listed(rest ? [...shown, `${rest} more`] : shown, " and ");
  return same ? `Reviewers ${text}` : text;
}
