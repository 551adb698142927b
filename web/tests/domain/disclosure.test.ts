// Views that show an order of papers and given scores, and no score of the run.
import { expect, test } from "vitest";

import { hasScores, statisticOf, openRun } from "../../src/domain/run";
import { numbersText } from "../../src/domain/sentences";
import { orderView, sampleView } from "../support/sample";

test("a view of the order has given scores alone", () => {
  const run = openRun(orderView());
  expect(hasScores(run.view)).toBe(false);
  expect(hasScores(sampleView())).toBe(true);
  expect(statisticOf(run, "dequantized", 0, "mean")).toBeNaN();
  expect(statisticOf(run, "given", 0, "mean")).toBe(3);
});

test("area chairs are told what kind of numbers they have", () => {
  expect(numbersText(orderView())).toContain("order of your papers");
  expect(numbersText(orderView({ disclosure: "scoped" }))).toContain("your papers only");
  expect(numbersText(sampleView())).toBeNull();
});
