import { expect, test } from "vitest";

import {
  causedBy,
  contradictionEffects,
  reviewContradiction,
  effectText,
  messageTo,
  reviewersToAsk,
} from "../../src/domain/reviewerContradictions";
import { lineOf } from "../../src/domain/line";
import { placeChangeReason } from "../../src/domain/placeSentences";
import { openRun, type Run } from "../../src/domain/run";
import { moveSentence } from "../../src/domain/sentences";
import { runOf } from "../support/view";

const MEAN = { statistic: "mean", desc: true } as const;
const LINE = { amount: 2, percent: false, perTrack: false };

/** Where papers would be without contradictions, as the server says: paper, reviewer, first, last place. */
function withPlaces(run: Run, rows: [number, number | null, number, number][]): Run {
  const column = <T>(of: (row: (typeof rows)[number]) => T): T[] => rows.map(of);
  const [first, last] = [column((row) => row[2]), column((row) => row[3])];
  const without = {
    paper: column(([paper]) => paper),
    reviewer: column((row) => row[1]),
    place: first,
    place_last: last,
    track_place: first,
    track_place_last: last,
  };
  return openRun({ ...run.view, without });
}

/** R0 gave paper 1 a 3, the best score, and ranked it last of four, so that its score fell to 1. */
function contradicting(): Run {
  const { view } = runOf({ 1: [3, 3], 2: [2, 3], 3: [2, 2], 4: [1, 2] });
  const rankings = [
    { groups: [[1], [2], [3], [0]], pairs: [] },
    { groups: [], pairs: [] },
  ];
  const dequantized = view.reviews.score.map((score, review) => (review === 0 ? 0.9 : score));
  const run = openRun({ ...view, rankings, reviews: { ...view.reviews, dequantized } });
  return withPlaces(run, [
    [0, 0, 1, 1],
    [1, 0, 2, 2],
    [2, 0, 3, 3],
    [3, 0, 4, 4],
  ]);
}

/** R0 and R1 gave paper 1 a 3 and ranked it last of two, and both scores fell to 2. */
function twoContradicting(): Run {
  const { view } = runOf({ 1: [3, 3], 2: [2, 2], 3: [3, 2] });
  const rankings = [0, 1].map(() => ({ groups: [[1], [0]], pairs: [] }));
  const dequantized = view.reviews.score.map((score, review) => (review < 2 ? 2 : score + 0.1));
  return openRun({ ...view, rankings, reviews: { ...view.reviews, dequantized } });
}

test("a contradiction in words: the end of the ranking, or the paper that it goes against most", () => {
  const run = contradicting();
  expect(
    [...run.contradicts.keys()].sort().map((review) => reviewContradiction(run, review)),
  ).toEqual([
    "gave 3, ranked it last of 4",
    "gave 2, ranked it first of 4",
    "gave 2, ranked it above 1 (3)",
    "gave 1, ranked it above 1 (3)",
  ]);
  expect(reviewContradiction(run, 1)).toBeNull();
});

test("what a contradiction did comes first among the reasons, with the place without it", () => {
  const run = contradicting();
  const alone = { first: 1, last: 1 };
  expect([...contradictionEffects(run, MEAN)]).toEqual([
    [0, { reviews: [0], against: "below", without: alone, alone }],
  ]);
  const reason = "R0 gave 3, ranked it last of 4; without that about 1st";
  expect(effectText(run, 0, MEAN)).toBe(reason);
  expect(placeChangeReason(run, 0, MEAN)).toBe(reason);
  expect(effectText(run, 1, MEAN)).toBeNull();
});

test("where two reviewers did it, each figure is that of whom it names", () => {
  const run = withPlaces(twoContradicting(), [
    [0, 0, 2, 2],
    [0, 1, 2, 3],
    [0, null, 1, 1],
    [1, 0, 3, 3],
    [1, 1, 3, 3],
    [1, null, 3, 3],
  ]);
  expect(effectText(run, 0, MEAN)).toBe(
    "R0 and another rank it below their scores; without both about 1st (without R0 alone about 2nd)",
  );
  const line = lineOf(run, MEAN, { ...LINE, amount: 1 });
  expect(causedBy(run, MEAN, line, "out")).toBe(1);
  // Neither of them alone keeps the paper out.
  expect(reviewersToAsk(run, MEAN, line).map(({ crossed }) => crossed)).toEqual([0, 0]);
  const alone = withPlaces(run, [
    [0, 0, 1, 1],
    [0, 1, 2, 2],
    [0, null, 1, 1],
  ]);
  const asked = reviewersToAsk(alone, MEAN, lineOf(alone, MEAN, { ...LINE, amount: 1 }));
  expect(asked.map(({ reviewer, crossed }) => [reviewer, crossed])).toEqual([
    [0, 1],
    [1, 0],
  ]);
});

test("nothing is said of places that the run does not know", () => {
  const two = twoContradicting();
  const partly = withPlaces(two, [
    [0, 0, 2, 2],
    [0, null, 1, 1],
  ]);
  for (const run of [two, partly]) {
    expect(effectText(run, 0, MEAN)).toBeNull();
    expect(reviewersToAsk(run, MEAN, null)).toHaveLength(2);
  }
  const run = contradicting();
  expect(effectText(run, 0, { statistic: "median", desc: true })).toBeNull();
  expect(effectText(openRun({ ...run.view, without: null }), 0, MEAN)).toBeNull();
});

test("a score that left its rounding range is not said to lie in it", () => {
  expect(moveSentence(contradicting(), 0)).toBe(
    "Its 3 contradicts the ranking, so it was lowered to 0.90, just enough for the ranking to hold.",
  );
});

test("who is to be asked, what they cause, and a text to send", () => {
  const run = contradicting();
  const line = lineOf(run, MEAN, LINE);
  expect(causedBy(run, MEAN, line, "out")).toBe(1);
  const [asked, ...others] = reviewersToAsk(run, MEAN, line);
  expect(others).toEqual([]);
  expect(asked).toMatchObject({ reviewer: 0, caused: 1, crossed: 1 });
  const message = (asked && messageTo(run, asked)) ?? "";
  expect(message).toMatch(/^Dear R0,\n\nYour ranking and your scores contradict each other/);
  expect(message).toContain("- Paper 1 (Title 1): you gave 3, ranked it last of 4.");
});

test("where scores are trusted nothing moves, and there is nothing to ask about places", () => {
  const { view } = contradicting();
  const trusted = openRun({
    ...view,
    reviews: { ...view.reviews, dequantized: [...view.reviews.score] },
    without: null,
  });
  expect(contradictionEffects(trusted, MEAN).size).toBe(0);
  expect(reviewersToAsk(trusted, MEAN, null)).toHaveLength(1);
});
