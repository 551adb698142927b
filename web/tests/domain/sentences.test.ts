import { expect, test } from "vitest";

import { bindingText, moveSentence } from "../../src/domain/sentences";
import { OUTSIDE } from "../../src/domain/run";
import { sampleRun, sampleView } from "../support/sample";

const run = sampleRun();

test("consensus and ranking, and both comparisons that bind", () => {
  expect(moveSentence(run, 0)).toBe(
    "Moved up by 0.214: the other reviews of the paper pulled it up by 0.180, and the reviewer's " +
      "ranking pushed it up by 0.034, where it is held above paper 7 and below ★ (a paper outside your scope).",
  );
});

test("a ranking that binds without moving is named", () => {
  expect(moveSentence(run, 1)).toBe(
    "Moved down by 0.100: the other reviews of the paper pulled it down by 0.100, and the " +
      "reviewer's ranking keeps it below paper 2.",
  );
});

test("consensus alone", () => {
  expect(moveSentence(run, 2)).toBe(
    "Moved down by 0.400: the other reviews of the paper pulled it down by 0.400.",
  );
});

test("the end of a rounding range holds back", () => {
  expect(moveSentence(run, 6)).toBe(
    "Moved up by 0.500: the other reviews of the paper pulled it up by 0.800, and the end of its " +
      "rounding range (1.5 to 2.5) held it back by 0.300.",
  );
});

test("no move, with and without forces that balance", () => {
  expect(moveSentence(run, 8)).toBe("Did not move.");
  expect(moveSentence(run, 4)).toBe(
    "Did not move: the other reviews (+0.150) and the ranking (−0.150) balance; it is held close to paper 2.",
  );
});

test("less than half of the third decimal is no move", () => {
  const view = sampleView();
  view.reviews.dequantized[8] = 5.0004;
  expect(moveSentence(sampleRun({ reviews: view.reviews }), 8)).toBe("Did not move.");
  view.reviews.dequantized[8] = 5.0006;
  expect(moveSentence(sampleRun({ reviews: view.reviews }), 8)).toBe("Moved up by 0.001.");
});

test("many comparisons are counted, not listed", () => {
  const bindings = {
    reviewer: [0, 0, 0, 0],
    better: [0, 0, 0, 0],
    worse: [1, 3, OUTSIDE, OUTSIDE],
    lifts: [1, 1, 1, 1],
    lowers: [1, 1, 1, 1],
  };
  expect(bindingText(sampleRun({ bindings }), 0)).toBe(
    "above papers 7 and 30 and 2 ★ (papers outside your scope)",
  );
  expect(bindingText(run, 8)).toBeNull();
});
