import { describe, expect, test } from "vitest";

import { insideRange, largestChanges, slopesOf } from "../../src/domain/charts";
import { sampleRun } from "../support/sample";
import { runOf } from "../support/view";

const mean = { statistic: "mean", desc: true } as const;
const accept = (amount: number) => ({ amount, percent: false, perTrack: false });

describe("the papers around the line", () => {
  test("with their places before and now, the best first", () => {
    expect(slopesOf(sampleRun(), "dequantized", mean, accept(2))).toEqual([
      {
        paper: 3,
        before: { first: 1, last: 1 },
        now: { first: 1, last: 1 },
        position: 1,
        part: null,
      },
      ...[{ paper: 2, before: { first: 2, last: 3 }, now: { first: 2, last: 2 }, position: 2 }].map(
        (slope) => ({ ...slope, part: "settled" }),
      ),
      {
        paper: 1,
        before: { first: 2, last: 3 },
        now: { first: 3, last: 3 },
        position: 3,
        part: null,
      },
      {
        paper: 0,
        before: { first: 4, last: 4 },
        now: { first: 4, last: 4 },
        position: 4,
        part: null,
      },
    ]);
  });
  test("twelve on each side of the line, where nothing is tied there", () => {
    const papers = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [String(index + 1), [index / 10]]),
    );
    const slopes = slopesOf(runOf(papers), "dequantized", mean, accept(40));
    expect(slopes.map(({ position }) => position)).toEqual(
      Array.from({ length: 24 }, (_, index) => 29 + index),
    );
  });
});

test("the largest changes of place, up or down", () => {
  expect(largestChanges(sampleRun(), "dequantized", mean, 10)).toEqual([1, 2]);
  expect(largestChanges(sampleRun(), "dequantized", mean, 1)).toEqual([1]);
});

describe("inside the rounding range", () => {
  const run = sampleRun();
  test.each([null, 3, 4, 1])("level %s: every review once, on its side", (level) => {
    const { score, dequantized } = run.view.reviews;
    const own = score
      .map((_, review) => review)
      .filter((review) => level === null || score[review] === level);
    const move = (review: number) => (dequantized[review] ?? 0) - (score[review] ?? 0);
    const inside = insideRange(run.view, level);
    expect(inside.bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(own.length);
    expect([inside.below, inside.same, inside.above]).toEqual([
      own.filter((review) => move(review) < 0).length,
      own.filter((review) => move(review) === 0).length,
      own.filter((review) => move(review) > 0).length,
    ]);
  });
  test("small moves are enlarged, and what did not move has the bin in the middle", () => {
    const { reviews } = run.view;
    const near = {
      ...reviews,
      dequantized: reviews.score.map((score, at) => score + (at ? 0 : 0.01)),
    };
    const inside = insideRange({ ...run.view, reviews: near }, null);
    expect(inside.reach).toBe(0.02);
    expect(inside.bins[20]?.count).toBe(8);
  });
});
