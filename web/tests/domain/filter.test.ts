import { expect, test } from "vitest";

import { choices } from "../../src/domain/columns";
import { passing, type Filter } from "../../src/domain/order";
import { NO_FILTER } from "../../src/domain/tableState";
import { sampleRun } from "../support/sample";

const run = sampleRun();
const shown = (filter: Partial<Filter>, mode: "given" | "dequantized" = "given") =>
  passing(
    run,
    {
      mode,
      rankBy: { statistic: "mean", desc: true },
      filter: { ...NO_FILTER, ...filter },
      accept: { amount: 2, percent: false, perTrack: false },
    },
    [0, 1, 2, 3],
  ).map((paper) => run.view.papers.paper[paper]);

test("no filter lets every paper through", () => expect(shown({})).toEqual([2, 7, 10, 30]));

test.each([
  ["30", [30]],
  ["ZEB", [2]],
  ["theory", [2, 10]],
  ["bob", [10, 30]],
  ["al", [2, 7, 30]],
  ["theory  bob", [10]],
  ["nowhere", []],
])("the search %o looks at number, title, track, area chair and reviewer", (text, expected) =>
  expect(shown({ text })).toEqual(expected),
);

test("tracks and area chairs must be equal", () => {
  expect(shown({ values: { track: "Systems" } })).toEqual([7, 30]);
  expect(shown({ values: { track: "Systems", area_chair: "Bob" } })).toEqual([30]);
});

test("a range is of the statistic and the mode in question, its ends included", () => {
  expect(shown({ statistic: "min", from: 3, to: 3 })).toEqual([7, 10]);
  expect(shown({ statistic: "min", from: 3, to: 3 }, "dequantized")).toEqual([]);
  expect(shown({ statistic: "min", from: 2.9, to: 3.3 }, "dequantized")).toEqual([7, 10]);
});

test("a rank that contradicts a score marks both papers", () => {
  expect(shown({ contradicts: true })).toEqual([7, 10]);
});

test("the parts of the line", () => {
  expect(shown({ part: "stay" })).toEqual([30]);
  expect(shown({ part: "in" })).toEqual([10]);
  expect(shown({ part: "out" })).toEqual([]);
  expect(shown({ part: "tied" })).toEqual([]);
});

test("a place is searched by its number", () => {
  expect(shown({ text: "#2" })).toEqual([10]);
  expect(shown({ text: "#1 bridges" })).toEqual([30]);
  expect(shown({ text: "#9" })).toEqual([]);
});

test("choices are each value once, in order", () => {
  expect(choices(run.view.papers.track)).toEqual(["Systems", "Theory"]);
  expect(choices(null)).toEqual([]);
});
