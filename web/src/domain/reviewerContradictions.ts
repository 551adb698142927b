// Reviewers who rank papers against their own scores: in words, what they cause, and a message to send.
import { counted, ordinal, scoreLabel } from "./format";
import { roomOf, sideOf, type Line } from "./line";
import {
  leftRange,
  placesOf,
  rangeText,
  type Places,
  type Range,
  type Ranges,
  type RankBy,
} from "./places";
import type { Statistic } from "./glossary";
import { reviewerTitle } from "./rankings";
import { numberAt, once, reviewAt, type Run } from "./run";

/** "gave 9, ranked it last of 5" or "gave 9, ranked it below 496 (2)"; null without a contradiction. */
export function reviewContradiction(run: Run, review: number): string | null {
  const against = run.contradicts.get(review);
  if (against === undefined) return null;
  const [own, other] = [reviewAt(run.view, review), reviewAt(run.view, against)];
  const higher = own.score > other.score;
  const end = rankingEnd(run, own.reviewer, own.paper);
  const place =
    end?.name === (higher ? "last" : "first")
      ? `${end.name} of ${end.of}`
      : `${higher ? "below" : "above"} ${run.view.papers.paper[other.paper]} (${scoreLabel(run.view, other.score)})`;
  return `gave ${scoreLabel(run.view, own.score)}, ranked it ${place}`;
}

/** Whether a paper is alone at an end of a reviewer's ranking. */
function rankingEnd({ view }: Run, reviewer: number, paper: number) {
  const groups = view.rankings[reviewer]?.groups ?? [];
  const of = groups.reduce((size, group) => size + group.length, 0);
  if (groups.length > 1 && groups[0]?.length === 1 && groups[0][0] === paper)
    return { name: "first", of };
  const last = groups.at(-1);
  return groups.length > 1 && last?.length === 1 && last[0] === paper ? { name: "last", of } : null;
}

/** What contradictions about a paper did to its place, and where it would be without them. */
export interface Effect {
  reviews: number[]; // those that contradict, the one that did most first
  against: "below" | "above" | "against"; // where all of them rank it, by their scores
  without: Range; // with all of them set aside
  alone: Range; // with the first one's reviewer alone set aside
}

/** The places of a paper with the contradictions of one reviewer set aside, or of all (null). */
const placesWithout = once(({ view }: Run, perTrack: boolean) => {
  const found = view.papers.paper.map(() => new Map<number | null, Range>());
  const columns = view.without;
  const [first, last] = perTrack
    ? [columns?.track_place, columns?.track_place_last]
    : [columns?.place, columns?.place_last];
  columns?.paper.forEach((paper, row) =>
    found[paper]?.set(columns.reviewer[row] ?? null, {
      first: numberAt(first ?? [], row),
      last: numberAt(last ?? [], row),
    }),
  );
  return found;
});

/** The papers that left their places because of contradictions. The run knows where they would be by mean,
 * for chairs; nothing is said where it does not. */
export const contradictionEffects = (run: Run, { statistic, desc }: RankBy): Map<number, Effect> =>
  effectsBy(run, statistic, desc);

const effectsBy = once((run: Run, statistic: Statistic, desc: boolean) => {
  const effects = new Map<number, Effect>();
  if (statistic !== "mean" || !desc) return effects;
  const places = placesOf(run, { statistic, desc });
  for (const paper of run.contradicted) {
    const effect = effectOn(run, paper, leftRange(places, paper));
    if (effect && isReason(effect.without, places, paper)) effects.set(paper, effect);
  }
  return effects;
});

/** Whether a paper would be nearer to its old places than to the new ones. */
function isReason({ first, last }: Range, { before, now }: Places, paper: number): boolean {
  const from = ({ first, last }: Ranges) => (numberAt(first, paper) + numberAt(last, paper)) / 2;
  const place = (first + last) / 2;
  return Math.abs(place - from(before)) < Math.abs(place - from(now));
}

function effectOn(run: Run, paper: number, way: "up" | "down" | "same"): Effect | null {
  const { view } = run;
  const without = placesWithout(run, false)[paper];
  const own = (run.reviewsOf[paper] ?? []).filter((review) => run.contradicts.has(review));
  const by = (review: number) => reviewAt(view, review).reviewer;
  const place = (review: number) => without?.get(by(review))?.first ?? Number.NaN;
  const along = (review: number) => reviewAt(view, review).move > 0 === (way === "up");
  const pushing = own.filter((review) => along(review) && reviewAt(view, review).move !== 0);
  pushing.sort((a, b) => (way === "up" ? place(b) - place(a) : place(a) - place(b)));
  const [first] = pushing;
  // What is said of several is known of all who contradict themselves about the paper.
  const reviews = pushing.length > 1 ? [...pushing, ...own.filter((one) => !along(one))] : pushing;
  const alone = first === undefined ? undefined : without?.get(by(first));
  const known = without?.size === own.length + 1;
  const all = reviews.length > 1 ? known && without.get(null) : alone;
  if (way === "same" || !all || !alone) return null;
  const against = reviews.length > pushing.length ? "against" : way === "up" ? "above" : "below";
  return { reviews, against, without: all, alone };
}

/** "about 64th", "about 268–278" */
const about = ({ first, last }: Range): string =>
  `about ${first === last ? ordinal(first) : rangeText({ first, last })}`;

/** "Reviewer 7 gave 9, ranked it last of 5; without that about 240th", "Reviewer 7 and another rank it below
 * their scores; without both about 47th (without Reviewer 7 alone about 64th)"; null where no contradiction
 * did it. */
export function effectText(run: Run, paper: number, rankBy: RankBy): string | null {
  const effect = contradictionEffects(run, rankBy).get(paper);
  if (!effect) return null;
  const who = contradictionText(run, effect);
  if (effect.reviews.length === 1) return `${who}; without that ${about(effect.without)}`;
  const all = effect.reviews.length === 2 ? "both" : `all ${effect.reviews.length}`;
  const first = reviewerTitle(run.view, reviewAt(run.view, effect.reviews[0] ?? 0).reviewer);
  return `${who}; without ${all} ${about(effect.without)} (without ${first} alone ${about(effect.alone)})`;
}

/** "Reviewer 7 gave 9, ranked it last of 5", "Reviewer 7 and another rank it below their scores" */
export function contradictionText(
  run: Run,
  { reviews, against }: Pick<Effect, "reviews" | "against">,
) {
  const [first = 0, ...others] = reviews;
  const who = reviewerTitle(run.view, reviewAt(run.view, first).reviewer);
  if (!others.length) return `${who} ${reviewContradiction(run, first)}`;
  const more = others.length === 1 ? "another" : `${others.length} others`;
  return `${who} and ${more} rank it ${against === "against" ? "against their own" : `${against} their`} scores`;
}

/** How many papers of a part of the line are there because of contradictions about them. */
export function causedBy(run: Run, rankBy: RankBy, line: Line, part: "in" | "out"): number {
  const effects = contradictionEffects(run, rankBy);
  return [...effects].filter(
    ([paper, { reviews }]) => line.parts[part][paper] && crosses(run, line, paper, reviews),
  ).length;
}

/** Whether a paper would be on the other side of the line without what some of its reviews contradict. */
function crosses(run: Run, line: Line, paper: number, reviews: number[]): boolean {
  const [review, ...others] = reviews;
  const { perTrack } = line.accept;
  const who = others.length ? null : reviewAt(run.view, review ?? 0).reviewer;
  const range = placesWithout(run, perTrack)[paper]?.get(who) ?? null;
  const side = range && sideOf(range, roomOf(run, line.accept)(paper));
  if (line.parts.in[paper]) return side !== null && side !== "above";
  return Boolean(line.parts.out[paper]) && side !== null && side !== "below";
}

/** A reviewer to ask, with the reviews that contradict their ranking. */
export interface Asked {
  reviewer: number;
  reviews: number[];
  caused: number; // papers that left their places because of this reviewer alone
  crossed: number; // of these, papers that changed side at the line
}

/** The reviewers who contradict themselves; those who took papers across the line come first. */
export function reviewersToAsk(run: Run, rankBy: RankBy, line: Line | null): Asked[] {
  const found = new Map<number, Asked>();
  const effects = contradictionEffects(run, rankBy);
  const places = placesOf(run, rankBy);
  for (const review of run.contradicts.keys()) {
    const { reviewer, paper } = reviewAt(run.view, review);
    const asked = found.get(reviewer) ?? { reviewer, reviews: [], caused: 0, crossed: 0 };
    const alone = effects.has(paper) ? placesWithout(run, false)[paper]?.get(reviewer) : undefined;
    const caused = alone !== undefined && isReason(alone, places, paper);
    const crossed = alone !== undefined && line !== null && crosses(run, line, paper, [review]);
    asked.caused += Number(caused);
    asked.crossed += Number(crossed);
    // First comes what did most.
    if (crossed || (caused && asked.caused === 1)) asked.reviews.unshift(review);
    else asked.reviews.push(review);
    found.set(reviewer, asked);
  }
  return [...found.values()].sort(
    (a, b) => b.crossed - a.crossed || b.caused - a.caused || a.reviewer - b.reviewer,
  );
}

/** A text to send to a reviewer. */
export function messageTo(run: Run, { reviewer, reviews }: Asked): string {
  const lines = reviews.map((review) => {
    const { paper } = reviewAt(run.view, review);
    const title = run.view.papers.title?.[paper];
    const name = `Paper ${run.view.papers.paper[paper]}${title ? ` (${title})` : ""}`;
    return `- ${name}: you ${reviewContradiction(run, review)}.`;
  });
  return [
    `Dear ${reviewerTitle(run.view, reviewer)},`,
    "",
    `Your ranking and your scores contradict each other for ${counted(reviews.length, "paper")}:`,
    ...lines,
    "",
    "Which of them do you mean? Please correct the scores or the ranking.",
  ].join("\n");
}
