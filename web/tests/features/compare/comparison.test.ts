import { describe, expect, it } from "vitest";

import {
  readCompare,
  sortAfterClick,
  compared,
  differingSettings,
  ranksOf,
  shownRows,
  type ShownRows,
} from "../../../src/features/compare/comparison";
import { runOf } from "../../support/view";

const before = runOf({ 2: [1, 1], 10: [3, 3], 7: [2, 2], 1: [3] });
const after = runOf({ 2: [3, 3], 10: [2, 2], 7: [2, 2], 4: [1] });
const ALL: ShownRows = { sort: "paper", descending: false, text: "", movedBy: null };
const ids = (shown: Partial<ShownRows>) =>
  shownRows(compared([before, after], "given", "mean"), { ...ALL, ...shown }).map((row) => row.id);

describe("papers side by side", () => {
  it("have one row each, with what is missing as such", () => {
    const rows = compared([before, after], "given", "mean");
    const row = rows.find(({ id }) => id === "4");
    expect(rows).toHaveLength(5);
    expect(row?.values).toEqual([Number.NaN, 1]);
    expect(row?.difference).toBeNaN();
    expect(row?.rank).toBeNaN();
  });
  it("are ranked among papers that are in the first and in the last", () => {
    const rank = Object.fromEntries(
      compared([before, after], "given", "mean").map(({ id, rank: change }) => [id, change]),
    );
    // Before: 10, 7, 2; after: 2, then 10 and 7 tied.
    expect(rank).toMatchObject({ 2: 2, 10: -1, 7: 0 });
  });
  it("are sorted by any column, what is missing last", () => {
    expect(ids({})).toEqual(["1", "2", "4", "7", "10"]);
    expect(ids({ descending: true })).toEqual(["10", "7", "4", "2", "1"]);
    expect(ids({ sort: "difference", descending: true })).toEqual(["2", "7", "10", "1", "4"]);
    expect(ids({ sort: "difference" })).toEqual(["10", "7", "2", "1", "4"]);
    expect(ids({ sort: "run0", descending: true })).toEqual(["1", "10", "7", "2", "4"]);
    expect(ids({ sort: "run1" })).toEqual(["4", "7", "10", "2", "1"]);
    expect(ids({ sort: "rank", descending: true })).toEqual(["2", "7", "10", "1", "4"]);
  });
  it("are found by text and by how far they moved", () => {
    expect(ids({ text: "title 1" })).toEqual(["1", "10"]);
    expect(ids({ movedBy: 1 })).toEqual(["2", "10"]);
    expect(ids({ movedBy: 1.5 })).toEqual(["2"]);
  });
  it("compare any statistic in any mode", () => {
    const [row] = compared([runOf({ 1: [1, 3] }), runOf({ 1: [2, 3] })], "dequantized", "spread");
    expect(row?.values).toEqual([2, 1]);
  });
});

it("equal values share a rank", () => {
  expect(ranksOf([5, 7, 5, 1])).toEqual([2, 1, 2, 4]);
});

it("only settings that differ are listed", () => {
  const other = runOf({ 2: [1, 1], 10: [3, 3], 7: [2, 2], 1: [3] }, { lam: "inf" });
  expect(differingSettings([before, other])).toEqual([{ name: "λ used", values: ["4", "∞"] }]);
});

describe("the address", () => {
  it("keeps everything, and bears nonsense", () => {
    const state = readCompare(
      new URLSearchParams("runs=a,b,a&mode=given&of=max&sort=-run1&q=x&moved=0.5"),
    );
    expect(state).toEqual({
      runs: ["a", "b"],
      mode: "given",
      statistic: "max",
      sort: "run1",
      descending: true,
      text: "x",
      movedBy: 0.5,
    });
    expect(readCompare(new URLSearchParams("mode=x&of=y&sort=z&moved=w"))).toMatchObject({
      mode: "dequantized",
      statistic: "mean",
      sort: "difference",
      movedBy: null,
    });
  });
  it("turns a sorted column round", () => {
    expect(sortAfterClick("rank", { sort: "difference", descending: true })).toBe("-rank");
    expect(sortAfterClick("rank", { sort: "rank", descending: true })).toBe("rank");
    expect(sortAfterClick("title", { sort: "rank", descending: true })).toBe("title");
    expect(sortAfterClick("difference", { sort: "rank", descending: true })).toBeNull();
  });
});
