import { expect, test } from "vitest";

import { scopeText } from "../../src/domain/sentences";
import { STATISTICS } from "../../src/domain/glossary";
import { STATISTIC_FUNCTIONS } from "../../src/domain/run";
import { tieCounts } from "../../src/domain/digits";
import { sampleRun } from "../support/sample";

const run = sampleRun();

test("contradictions are between a reviewer's own scores only", () => {
  expect([...run.contradicts.keys()].sort()).toEqual([4, 5]);
  expect([...run.contradicted].sort()).toEqual([1, 2]);
});

test("a mean of equal values stays among them", () => {
  const each = STATISTICS.map((name) => STATISTIC_FUNCTIONS[name]([0.1, 0.1, 0.1]));
  expect(each).toEqual([0.1, 0.1, 0.1, 0.1, 0]);
  expect(STATISTIC_FUNCTIONS.median([3, 1, 2, 10])).toBe(2.5);
});

test("ties are counted after rounding to four decimals", () => {
  expect(tieCounts([1, 1, 2])).toEqual({ tied: 2, distinct: 2 });
  expect(tieCounts([1.00001, 1.00002, 2])).toEqual({ tied: 2, distinct: 2 });
  expect(tieCounts([1.0001, 1.0002])).toEqual({ tied: 0, distinct: 2 });
  expect(tieCounts([5])).toEqual({ tied: 0, distinct: 1 });
});

test("the sentence of the scope", () => {
  expect(scopeText(run)).toBe("Testing Days, First run (2026-03-01): all 4 papers");
  const viewer = { role: "area_chair", name: "Ann", reviewer_names: false } as const;
  expect(scopeText(sampleRun({ viewer, finished: null }))).toBe(
    "Testing Days, First run: the 4 papers of Ann",
  );
});
