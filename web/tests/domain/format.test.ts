import { describe, expect, test } from "vitest";

import {
  bound,
  fixed,
  lambdaText,
  whereText,
  scoreLabel,
  signed,
  sizeText,
} from "../../src/domain/format";
import { sampleRun, sampleView } from "../support/sample";

const run = sampleRun();

describe("numbers as people read them", () => {
  test.each([
    [1.2345, "+1.234"],
    [-0.0344, "−0.034"],
    [0.0004, "0.000"],
    [-0.0004, "0.000"],
  ])("%d is a move of %s", (value, text) => expect(signed(value)).toBe(text));
  test("nothing is a dash", () => expect(fixed(Number.NaN, 2)).toBe("–"));
  test.each([
    [3.2e-10, "4e-10"],
    [4e-10, "4e-10"],
    [9.5e-7, "1e-6"],
    [0, "0"],
  ])("a bound of %d is rounded up to %s", (value, text) => expect(bound(value)).toBe(text));
  test("a score goes by its symbol where there is one", () => {
    const symbols = ["E", "D", "C", "B", "A"];
    expect(scoreLabel(sampleView({ scale: { ...run.view.scale, symbols } }), 4)).toBe("B");
    expect(scoreLabel(run.view, 4)).toBe("4");
  });
});

test("sizes are short", () => {
  expect([0, 999, 1536, 20_480, 999_700, 3e9].map(sizeText)).toEqual([
    "0 bytes",
    "999 bytes",
    "1.5 kB",
    "20 kB",
    "1.0 MB",
    "3.0 GB",
  ]);
});

test("λ is short", () => {
  expect([4, 54.598150033, "inf", "auto", null].map(lambdaText)).toEqual([
    "4",
    "54.6",
    "∞",
    "auto",
    "",
  ]);
});

test("places in one file are listed together", () => {
  expect(whereText(["a.csv, line 2", "a.csv, line 5", "b.json", "c, d.csv, row 7"])).toBe(
    "a.csv, lines 2, 5; b.json; c, d.csv, row 7",
  );
});
