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

/** R0 gave paper 1 a 3, the best score, and ranked it last of four, so that its score fell to 1. */
function contradicting(): Run {
  const { view } = runOf({ 1: [3, 3], 2: [2, 3], 3: [2, 2], 4: [1, 2] });
  const rankings = [
    { groups: [[1], [2], [3], [0]], pairs: [] },
    { groups: [], pairs: [] },
  ];
  const dequantized = view.reviews.score.map((score, review) => (review === 0 ? 0.9 : score));
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
  expect([...contradictionEffects(run, MEAN)]).toEqual([[0, { review: 0, place: 1 }]]);
  const reason = "R0 gave 3, ranked it last of 4; without that about 1st";
  expect(effectText(run, 0, MEAN)).toBe(reason);
  expect(placeChangeReason(run, 0, MEAN)).toBe(reason);
  expect(effectText(run, 1, MEAN)).toBeNull();
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
  expect(asked && messageTo(run, asked)).toContain(
    "- Paper 1 (Title 1): you gave 3, ranked it last of 4.",
  );
});

test("where scores are trusted nothing moves, and there is nothing to ask about places", () => {
  const run = contradicting();
  const { score } = run.view.reviews;
  const trusted = openRun({
    ...run.view,
    reviews: { ...run.view.reviews, dequantized: [...score] },
  });
  expect(contradictionEffects(trusted, MEAN).size).toBe(0);
  expect(reviewersToAsk(trusted, MEAN, null)).toHaveLength(1);
});
