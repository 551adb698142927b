import { describe, expect, test } from "vitest";

import { leastDigits, statisticDigits, distinguishingDigits } from "../../src/domain/digits";
import { sampleRun, sampleView } from "../support/sample";

describe("as many digits as tell values apart", () => {
  test.each([
    [[1, 2, 3], 2],
    [[1.234, 1.24], 2],
    [[1.234, 1.231], 3],
    [[1.2341, 1.2342], 4],
    [[1.23411, 1.23412], 2], // tied: no digits tell them apart
    [[1.2341, 1.23412, 1.239], 2],
    [[Number.NaN, 7], 2],
    [[], 2],
  ])("%j needs %d", (values, digits) => expect(distinguishingDigits(values, 2)).toBe(digits));

  test("what is shown differs wherever values are not tied, and one digit less would not do", () => {
    const values = Array.from({ length: 300 }, (_, index) => 5 + Math.sin(index) * 2);
    const digits = distinguishingDigits(values, 0);
    const distinct = (to: number) => new Set(values.map((value) => value.toFixed(to))).size;
    expect(distinct(digits)).toBe(distinct(4));
    expect(distinct(digits - 1)).toBeLessThan(distinct(4));
  });
  test("the shown papers decide", () => {
    const run = sampleRun();
    expect(statisticDigits(run, "dequantized", "mean", [0, 1, 2, 3])).toBe(2);
  });
});

test("whole levels make whole minima, halves make halves", () => {
  const view = sampleView();
  const least = (statistic: "min" | "max" | "mean" | "median" | "spread") =>
    leastDigits(view, "given", statistic);
  expect([least("min"), least("max"), least("mean"), least("median")]).toEqual([0, 0, 2, 1]);
  view.scale.levels = [1, 1.5, 2];
  expect(least("min")).toBe(1);
});
