// Places in words: "497", "496–545 tied", "497th of 2,000", and why a paper changed its place.
import { effectText } from "./reviewerContradictions";
import { count, LEAST_MOVE, ordinal, signed } from "./format";
import { STATISTIC_WORDS, statisticName } from "./glossary";
import {
  isTied,
  placesOf,
  rangeAt,
  rangeText,
  type Places,
  type Range,
  type RankBy,
} from "./places";
import { bindingsOf, movesOf, numberAt, OUTSIDE, type Run } from "./run";
import { reviewerTitle } from "./rankings";
import { listed, othersText } from "./sentences";

const others = (size: number): string => `${count(size)} ${size === 1 ? "other" : "others"}`;
const sizeOf = ({ first, last }: Range): number => last - first + 1;

/** "3rd of your 12 papers by mean, because …; by given scores tied with 2 others for 2–4."; null without scores. */
export function placeSentence(run: Run, paper: number, rankBy: RankBy): string | null {
  const places = placesOf(run, rankBy);
  const [before, now] = [rangeAt(places.before, paper), rangeAt(places.now, paper)];
  if (!before || !now) return null;
  const why = placeChangeReason(run, paper, rankBy);
  const place = `${nowText(now)} of ${allText(run, places)} by ${rankByText(rankBy)}`;
  const former = isTied(before)
    ? `by given scores tied with ${others(sizeOf(before) - 1)} for ${rangeText(before)}`
    : before.first === now.first
      ? "as by given scores"
      : `moved from ${ordinal(before.first)} by given scores`;
  return `${place}${why ? `, because ${why}` : ""}; ${former}.`;
}

/** "mean", "median, lowest first" */
const rankByText = ({ statistic, desc }: RankBy): string =>
  `${statisticName(statistic)}${desc ? "" : ", lowest first"}`;

function nowText(now: Range): string {
  if (!isTied(now)) return ordinal(now.first);
  return `Tied with ${others(sizeOf(now) - 1)} for ${rangeText(now)}`;
}

function allText(run: Run, { now }: Places): string {
  const all = now.first.reduce((size, first) => size + (first ? 1 : 0), 0);
  return run.view.viewer.role === "chair" ? count(all) : `your ${count(all)} papers`;
}

/** The reasons in words: a contradiction that did it, else the strongest first; null where the place did
 * not change or none is known. */
export function placeChangeReason(run: Run, paper: number, rankBy: RankBy): string | null {
  const places = placesOf(run, rankBy);
  const change = numberAt(places.change, paper);
  const contradiction = effectText(run, paper, rankBy);
  if (contradiction) return contradiction;
  if (!change || Number.isNaN(change) || !STATISTIC_WORDS[rankBy.statistic].follows_scores)
    return null;
  const sign = change > 0 === rankBy.desc ? 1 : -1;
  const tiedWith = (other: number) => places.before.first[other] === places.before.first[paper];
  const reasons = [
    { size: sign * meanOf(run, paper, "ranking"), text: rankingReason(run, paper, sign, tiedWith) },
    { size: sign * meanOf(run, paper, "consensus"), text: consensusReason(run, paper, sign) },
  ].filter(({ size }) => size >= LEAST_MOVE);
  if (!reasons.length) return othersMoved(numberAt(movesOf(run), paper), sign);
  reasons.sort((a, b) => b.size - a.size);
  return listed(
    reasons.map(({ text }) => text),
    ", and ",
  );
}

/** Nothing pushes the paper itself that way: other papers moved. */
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

const SLIGHT = 0.05;
const LEAST_SHOWN = 0.005; // smaller ones round to 0 at two decimals

function consensusReason(run: Run, paper: number, sign: number): string {
  const by = meanOf(run, paper, "consensus");
  const slightly = Math.abs(by) < SLIGHT ? "slightly " : "";
  const size = signed(by, Math.abs(by) < LEAST_SHOWN ? 3 : 2);
  return `the other reviewers scored it ${slightly}${sign > 0 ? "higher" : "lower"} (${size})`;
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
    for (const binding of bindingsOf(run, review)) {
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
