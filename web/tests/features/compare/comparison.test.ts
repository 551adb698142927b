import { describe, expect, it } from "vitest";

import {
  readCompare,
  sortAfterClick,
  compared,
  differingSettings,
  shownRows,
  whyOf,
  type ShownRows,
} from "../../../src/features/compare/comparison";
import { runOf } from "../../support/view";

const before = runOf({ 2: [1, 1], 10: [3, 3], 7: [2, 2], 1: [3] });
const after = runOf({ 2: [3, 3], 10: [2, 2], 7: [2, 2], 4: [1] });
const ALL: ShownRows = { sort: "paper", descending: false, text: "", changing: false };
const LINE = { amount: 2, percent: false, perTrack: false };
const ids = (shown: Partial<ShownRows>) =>
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
  it("are sorted by any column, what is missing last", () => {
    expect(ids({})).toEqual(["1", "2", "4", "7", "10"]);
    expect(ids({ descending: true })).toEqual(["10", "7", "4", "2", "1"]);
    expect(ids({ sort: "rank" })).toEqual(["10", "7", "2", "1", "4"]);
    expect(ids({ sort: "run0" })).toEqual(["1", "10", "7", "2", "4"]);
    expect(ids({ sort: "run1", descending: true })).toEqual(["4", "7", "10", "2", "1"]);
    expect(ids({ sort: "rank", descending: true })).toEqual(["2", "7", "10", "1", "4"]);
  });
  it("are found by text", () => {
    expect(ids({ text: "title 1" })).toEqual(["1", "10"]);
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
    expect(ids({ changing: true })).toEqual(["1", "2", "4", "7", "10"]);
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
});

it("only settings that differ are listed", () => {
  const other = runOf({ 2: [1, 1], 10: [3, 3], 7: [2, 2], 1: [3] }, { lam: "inf" });
  expect(differingSettings([before, other])).toEqual([{ name: "λ used", values: ["4", "∞"] }]);
});

describe("the address", () => {
  it("keeps everything, and bears nonsense", () => {
    const state = readCompare(new URLSearchParams("runs=a,b,a&sort=-run1&q=x&changing=yes"));
    expect(state).toEqual({
      runs: ["a", "b"],
      sort: "run1",
      descending: true,
      text: "x",
      changing: true,
    });
    expect(readCompare(new URLSearchParams("sort=z&changing=w"))).toMatchObject({
      sort: "rank",
      changing: false,
    });
  });
  it("turns a sorted column round", () => {
    expect(sortAfterClick("run1", { sort: "rank", descending: true })).toBe("run1");
    expect(sortAfterClick("rank", { sort: "rank", descending: true })).toBe("rank");
    expect(sortAfterClick("title", { sort: "rank", descending: true })).toBe("title");
    expect(sortAfterClick("rank", { sort: "side", descending: true })).toBeNull();
  });
});
