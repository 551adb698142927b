import { describe, expect, test } from "vitest";

import { columnsOf } from "../../src/domain/columns";
import { csvOf, paperColumns } from "../../src/domain/exportTable";
import { chancesOf, lineOf, type Accept } from "../../src/domain/line";
import type { View } from "../../src/domain/run";
import {
  chanceOf,
  chanceText,
  isClose,
  calibrationSentence,
  strictnessSentence,
  placeRangeSentence,
} from "../../src/domain/uncertainty";
import { NO_FILTER } from "../../src/domain/tableState";
import { sampleRun, shownPapers } from "../support/sample";

const rankBy = { statistic: "mean", desc: true } as const;
const numbers = (line: Accept | null) => ({
  mode: "dequantized" as const,
  rankBy,
  accept: line,
});
const accept = (amount: number, perTrack = false): Accept => ({ amount, percent: false, perTrack });

/** Papers 2 and 7 may be first or second; 10 and 30 third or fourth, 30 more likely third. */
const estimates: NonNullable<View["estimates"]> = {
  missing: "",
  uncertainty: {
    ...{ interval: 0.9, draws: 1000, rhat: 1.01, effective: 800 },
    ...{ mean: [3, 2.9, 1, 1.5], low: [2.5, 2.4, 0.5, 1], high: [3.5, 3.4, 1.5, 2] },
    ...{ place: [1, 2, 4, 3], place_low: [1, 1, 3, 3], place_high: [2, 2, 4, 4] },
    among_all: {
      start: [0, 3, 6, 9, 12],
      place: [0, 1, 2, 0, 1, 2, 2, 3, 4, 2, 3, 4],
      thousandths: [0, 600, 1000, 0, 400, 1000, 0, 50, 1000, 0, 950, 1000],
    },
    within_track: {
      start: [0, 2, 4, 7, 9],
      place: [0, 1, 0, 1, 0, 1, 2, 0, 2],
      thousandths: [0, 1000, 0, 1000, 0, 5, 1000, 0, 1000],
    },
  },
  calibration: {
    ...{
      verdict: "reviewers differ in strictness (p = 0.001)",
      recommended: true,
      parts: 1,
      caution: "",
    },
    ...{ calibrated: [3.4, 3.3, 3.5, 4.6], se: [0.2, 0.2, 0.3, 0.25] },
    ...{ effect: [-0.5, 0.25, 0.1], effect_se: [0.2, 0.21, 0.22] },
  },
  stability: null,
};
const run = sampleRun({ estimates });

describe("chances", () => {
  const shares = {
    start: [0, 3, 3],
    place: [10, 20, 40],
    thousandths: [0, 500, 1000],
  };
  test.each([
    [0, 0],
    [10, 0],
    [15, 0.25],
    [20, 0.5],
    [30, 0.75],
    [40, 1],
    [99, 1],
  ])("are linear between points: %d places", (places, chance) => {
    expect(chanceOf(shares, 0, places)).toBeCloseTo(chance, 12);
  });
  test("of a paper that the model has not are unknown", () => {
    expect(chanceOf(shares, 1, 20)).toBeNaN();
    expect(isClose(Number.NaN)).toBe(false);
  });
  test("follow the line, over all papers and within each track", () => {
    expect([...(chancesOf(run, accept(1)) ?? [])]).toEqual([0.6, 0.4, 0, 0]);
    expect([...(chancesOf(run, accept(3)) ?? [])]).toEqual([1, 1, 0.05, 0.95]);
    expect([...(chancesOf(run, accept(1, true)) ?? [])]).toEqual([1, 1, 0, 0.5]);
  });
  test("that are interpolated add up to the places", () => {
    const thousandths = [0, 600, 1000, 0, 390, 1000, 0, 50, 1000, 0, 950, 1000];
    const { uncertainty } = estimates;
    if (!uncertainty) throw new Error("the sample has none");
    const off = sampleRun({
      estimates: {
        ...estimates,
        uncertainty: { ...uncertainty, among_all: { ...uncertainty.among_all, thousandths } },
      },
    });
    const chances = [...(chancesOf(off, accept(1)) ?? [])];
    expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 12);
    // As on the server: tests/runs/test_workbook.py has the same numbers.
    expect(chances[0]).toBeCloseTo(0.605022, 6);
    expect(chances[1]).toBeCloseTo(0.394978, 6);
  });
  test("are not made too close to call by that", () => {
    const { uncertainty } = estimates;
    if (!uncertainty) throw new Error("the sample has none");
    const thousandths = [0, 895, 1000, 0, 99, 1000, 0, 50, 1000, 0, 950, 1000];
    const shares = { ...uncertainty.among_all, thousandths };
    const near = sampleRun({
      estimates: { ...estimates, uncertainty: { ...uncertainty, among_all: shares } },
    });
    expect(chancesOf(near, accept(1))?.[1]).toBe(0.099);
  });
  test("are unknown where the run was not asked", () => {
    expect(chancesOf(sampleRun(), accept(1))).toBeNull();
    expect(lineOf(sampleRun(), rankBy, accept(1)).counts.close).toBe(0);
  });
  test("are given to a hundredth and no further", () => {
    expect([0, 0.004, 0.01, 0.634, 0.9949, 1].map(chanceText)).toEqual([
      ...["< 1%", "< 1%", "1%", "63%", "> 99%", "> 99%"],
    ]);
  });
});

test("papers too close to call are a part of the line that filters", () => {
  const { parts, counts } = lineOf(run, rankBy, accept(1));
  expect([...parts.close]).toEqual([1, 1, 0, 0]);
  expect(counts.close).toBe(2);
  const filter = { ...NO_FILTER, part: "close" as const };
  const sort = [{ id: "mean" as const, desc: true }];
  const shown = shownPapers(run, { mode: "dequantized", sort, filter, accept: accept(1) });
  expect(new Set(shown)).toEqual(new Set([0, 1]));
});

test("papers sort by P(accept) of the present line", () => {
  const sort = [{ id: "p_accept" as const, desc: true }];
  const order = (amount: number) =>
    shownPapers(run, { mode: "dequantized", sort, filter: NO_FILTER, accept: accept(amount) });
  expect(order(1).slice(0, 2)).toEqual([0, 1]);
  expect(order(3).slice(2)).toEqual([3, 2]);
});

test("columns are there where the run knows them, chances where there is a line", () => {
  const known = (of: typeof run, line: Accept | null) =>
    columnsOf(of, line)
      .map(({ id }) => id)
      .filter((id) => /_range|calibrated|p_accept/.test(id));
  expect(known(sampleRun(), accept(1))).toEqual([]);
  expect(known(run, null)).toEqual(["mean_range", "calibrated", "place_range"]);
  expect(known(run, accept(1))).toEqual(["mean_range", "calibrated", "place_range", "p_accept"]);
});

test("the mean without strictness can be shown, sorted by and exported", () => {
  const sort = [{ id: "calibrated", desc: true } as const];
  expect(shownPapers(run, { mode: "dequantized", sort, filter: NO_FILTER, accept: null })).toEqual([
    3, 2, 0, 1,
  ]);
  const columns = paperColumns(run, ["paper", "calibrated"], numbers(null));
  expect(csvOf(columns, [2]).trim().split(/\r?\n/)).toEqual(["paper,calibrated", "10,3.5"]);
});

test("the export has both ends of each interval, and P(accept)", () => {
  const shown = ["paper", "place_range", "mean_range", "p_accept"] as const;
  const columns = paperColumns(run, [...shown], numbers(accept(1)));
  expect(csvOf(columns, [0, 2]).trim().split(/\r?\n/)).toEqual([
    "paper,model_place_low,model_place_high,model_low,model_high,p_accept",
    "2,1,2,2.5,3.5,0.6",
    "10,3,4,0.5,1.5,0.0",
  ]);
});

describe("sentences", () => {
  test("say where the plausible orders put a paper, and on which side of the line", () => {
    expect(placeRangeSentence(run, 0, null)).toBe("Most likely between 1st and 2nd (90%).");
    expect(placeRangeSentence(run, 0, accept(1))).toBe(
      "Most likely between 1st and 2nd (90%). Chance of being among the best 1: 60%.",
    );
    expect(placeRangeSentence(run, 3, accept(1, true))).toMatch(
      /among the best 1 of its track: 50%/,
    );
    expect(placeRangeSentence(sampleRun(), 0, accept(1))).toBeNull();
  });
  test("keep rounding and strictness apart, and add up", () => {
    const text = calibrationSentence(run, 0) ?? "";
    const [given, rounding, strictness, towards, calibrated] = (
      text.replaceAll("−", "-").match(/[+-]?\d+\.\d+/g) ?? []
    ).map(Number) as [number, number, number, number, number];
    expect(given + rounding + strictness + towards).toBeCloseTo(calibrated, 1);
    expect(strictness).toBeCloseTo((0.5 - 0.25 - 0.1) / 3, 2);
    expect(strictnessSentence(run, 0)).toBe(
      "Rounding and ranking +0.214; this reviewer’s strictness +0.50 (± 0.20).",
    );
    expect(calibrationSentence(sampleRun(), 0)).toBeNull();
  });
});
