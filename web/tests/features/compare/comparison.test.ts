import { describe, expect, it } from "vitest";

import {
  readCompare,
  compared,
  differingSettings,
  shownRows,
  whyOf,
  type CompareState,
} from "../../../src/features/compare/comparison";
import { openRun, type Run } from "../../../src/domain/run";
import { runOf } from "../../support/view";

const before = runOf({ 2: [1, 1], 10: [3, 3], 7: [2, 2], 1: [3] });
const after = runOf({ 2: [3, 3], 10: [2, 2], 7: [2, 2], 4: [1] });
const ALL: CompareState = { runs: [], text: "", changing: false };
const LINE = { amount: 2, percent: false, perTrack: false };
const ids = (shown: Partial<CompareState>) =>
  shownRows(compared([before, after], LINE), { ...ALL, ...shown }).map((row) => row.id);

describe("papers side by side", () => {
  it("have one row each, with what is missing as such", () => {
    const rows = compared([before, after]);
    const row = rows.find(({ id }) => id === "4");
    expect(rows).toHaveLength(5);
    expect(row?.values).toEqual([Number.NaN, 1.1]);
    expect(row?.places).toEqual([Number.NaN, 4]);
    expect(row?.rank).toBeNaN();
  });
  it("have their places in each run", () => {
    const rank = Object.fromEntries(
      compared([before, after]).map(({ id, rank: change }) => [id, change]),
    );
    // Before: 10 and 1 tied, 7, 2; after: 2, then 10 and 7 tied, 4.
    expect(rank).toMatchObject({ 2: 3, 10: -1, 7: 1 });
  });
  it("come in the order of how far they moved, those that change side first", () => {
    expect(ids({})).toEqual(["2", "7", "10", "1", "4"]);
    expect(shownRows(compared([before, after]), ALL).map(({ id }) => id)[0]).toBe("2");
  });
  it("are found by text", () => {
    expect(ids({ text: "title 1" })).toEqual(["10", "1"]);
  });
  it("have their side of the line in each run, and those that change it can be shown alone", () => {
    const rows = compared([before, after], LINE);
    const sides = Object.fromEntries(rows.map((row) => [row.id, row.sides.join(" → ")]));
    expect(sides).toEqual({
      1: "in → –",
      2: "out → in",
      4: "– → out",
      7: "out → tied",
      10: "in → tied",
    });
    expect(ids({ changing: true })).toEqual(["2", "7", "10", "1", "4"]);
    const same = compared([before, before], LINE);
    expect(shownRows(same, { ...ALL, changing: true })).toEqual([]);
    const [half] = compared([before], { ...LINE, amount: 50, percent: true });
    expect(half?.sides).toEqual(["in"]);
  });
  it("say what may have changed them", () => {
    const runs = [before, after];
    const why = compared(runs).map((row) => [row.id, whyOf(runs, row)]);
    expect(Object.fromEntries(why)).toMatchObject({
      2: "given scores 1 1 → 3 3",
      7: "other papers fell behind it",
      4: "",
    });
  });
  it("name the contradictions about a paper, in the run that moved a score furthest", () => {
    // R0 and R1 both rank paper 1 last and gave it the best score; in one run their scores gave way.
    const trusting = (dequantized: number[]): Run => {
      const { view } = runOf({ 1: [3, 3], 2: [2, 2] });
      const rankings = [0, 1].map(() => ({ groups: [[1], [0]], pairs: [] }));
      return openRun({ ...view, rankings, reviews: { ...view.reviews, dequantized } });
    };
    const [rankings, scores] = [trusting([1, 2, 2, 2]), trusting([3, 2.99, 2, 2])];
    for (const runs of [
      [rankings, scores],
      [scores, rankings],
    ]) {
      const [paper] = compared(runs);
      expect(paper && whyOf(runs, paper)).toBe("R0 and another rank it against their own scores");
    }
  });
});

it("only settings that differ are listed", () => {
  const other = runOf({ 2: [1, 1], 10: [3, 3], 7: [2, 2], 1: [3] }, { lam: "inf" });
  expect(differingSettings([before, other])).toEqual([
    { name: "How far scores follow the other reviewers (λ)", values: ["4", "∞"] },
  ]);
});

describe("the address", () => {
  it("keeps everything, and bears nonsense", () => {
    const state = readCompare(new URLSearchParams("runs=a,b,a&q=x&changing=yes"));
    expect(state).toEqual({
      runs: ["a", "b"],
      text: "x",
      changing: true,
    });
    expect(readCompare(new URLSearchParams("changing=w"))).toMatchObject({
      changing: false,
    });
  });
});
