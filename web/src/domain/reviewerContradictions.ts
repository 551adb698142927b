// Reviewers who rank papers against their own scores: in words, what they cause, and a message to send.
import { counted, ordinal, scoreLabel } from "./format";
import type { Line } from "./line";
import { leftRange, placesOf, type RankBy } from "./places";
import { reviewerTitle } from "./rankings";
import {
  cached,
  hasScores,
  numberAt,
  reviewAt,
  STATISTIC_FUNCTIONS,
  statisticsOf,
  type Run,
} from "./run";
import { onGrid } from "./ties";

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

/** What a contradiction did to a paper's place. */
export interface Effect {
  review: number; // the one that did most
  place: number; // about where the paper would be without it
}

/** The papers that left their places and would not have without a contradiction. */
export const contradictionEffects = (run: Run, rankBy: RankBy): Map<number, Effect> =>
  cached(run.view, `${rankBy.statistic} ${rankBy.desc} contradictions`, () => {
    const effects = new Map<number, Effect>();
    if (!hasScores(run.view)) return effects;
    const places = placesOf(run, rankBy);
    for (const paper of run.contradicted) {
      const way = leftRange(places, paper);
      const place = way === "same" ? 0 : placeWithout(run, paper, rankBy);
      const review = strongest(run, paper, (way === "up") === rankBy.desc ? 1 : -1);
      const [first, last] = [places.before.first[paper] ?? 0, places.before.last[paper] ?? 0];
      const [now, middle] = [places.now.first[paper] ?? 0, (first + last) / 2];
      // Nearer to the old places than to the new one: the contradiction is the reason.
      if (place && review !== null && Math.abs(place - middle) < Math.abs(place - now))
        effects.set(paper, { review, place });
    }
    return effects;
  });

/** The contradicting review of a paper that moved furthest in a direction. */
function strongest(run: Run, paper: number, sign: number): number | null {
  const moved = (review: number) => sign * reviewAt(run.view, review).move;
  const own = (run.reviewsOf[paper] ?? []).filter(
    (review) => run.contradicts.has(review) && moved(review) > 0,
  );
  return own.length
    ? own.reduce((most, review) => (moved(review) > moved(most) ? review : most))
    : null;
}

/** Where a paper would be if the scores that contradict a ranking had stayed as given. An estimate: on
 * simulated conferences of 2,000 papers it is within 14 places of a new run for 9 papers of 10. */
function placeWithout(run: Run, paper: number, { statistic, desc }: RankBy): number {
  const { score, dequantized } = run.view.reviews;
  const values = (run.reviewsOf[paper] ?? []).map((review) =>
    numberAt(run.contradicts.has(review) ? score : dequantized, review),
  );
  const key = (value: number) => (desc ? -1 : 1) * onGrid(value);
  const own = key(STATISTIC_FUNCTIONS[statistic](values));
  const all = statisticsOf(run, "dequantized", statistic);
  const ascending = cached(run.view, `${statistic} ${desc} ascending`, () => all.map(key).sort());
  let [ahead, end] = [0, ascending.length];
  while (ahead < end) {
    const middle = (ahead + end) >> 1;
    if (numberAt(ascending, middle) < own) ahead = middle + 1;
    else end = middle;
  }
  return ahead + (key(numberAt(all, paper)) < own ? 0 : 1); // the paper itself is not ahead of it
}

/** "about 240th" */
const about = (place: number): string =>
  `about ${ordinal(place < 100 ? place : 10 * Math.round(place / 10))}`;

/** "Reviewer 7 gave 9, ranked it last of 5; without that about 240th"; null where no contradiction did it. */
export function effectText(run: Run, paper: number, rankBy: RankBy): string | null {
  const effect = contradictionEffects(run, rankBy).get(paper);
  if (!effect) return null;
  const who = reviewerTitle(run.view, reviewAt(run.view, effect.review).reviewer);
  return `${who} ${reviewContradiction(run, effect.review)}; without that ${about(effect.place)}`;
}

/** How many papers of a part of the line are there because of a contradiction. */
export function causedBy(run: Run, rankBy: RankBy, line: Line, part: "in" | "out"): number {
  const effects = contradictionEffects(run, rankBy);
  return [...effects.keys()].filter((paper) => line.parts[part][paper]).length;
}

/** A reviewer to ask, with the reviews that contradict their ranking. */
export interface Asked {
  reviewer: number;
  reviews: number[];
  caused: number; // papers that left their places because of them
  crossed: number; // of these, papers that changed side at the line
}

/** The reviewers who contradict themselves; those who took papers across the line come first. */
export function reviewersToAsk(run: Run, rankBy: RankBy, line: Line | null): Asked[] {
  const found = new Map<number, Asked>();
  for (const review of run.contradicts.keys()) {
    const { reviewer } = reviewAt(run.view, review);
    const asked = found.get(reviewer) ?? { reviewer, reviews: [], caused: 0, crossed: 0 };
    asked.reviews.push(review);
    found.set(reviewer, asked);
  }
  for (const [paper, { review }] of contradictionEffects(run, rankBy)) {
    const asked = found.get(reviewAt(run.view, review).reviewer);
    if (!asked) continue;
    asked.caused += 1;
    const crossed = (line?.parts.in[paper] ?? 0) + (line?.parts.out[paper] ?? 0);
    asked.crossed += crossed;
    const rest = asked.reviews.filter((other) => other !== review);
    if (crossed || asked.caused === 1) asked.reviews = [review, ...rest];
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
    `your ranking and your scores contradict each other for ${counted(reviews.length, "paper")}:`,
    ...lines,
    "",
    "Which of them do you mean? Please correct the scores or the ranking.",
  ].join("\n");
}
