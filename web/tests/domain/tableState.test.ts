import { describe, expect, test } from "vitest";

import { columnsOf } from "../../src/domain/columns";
import {
  clearFilter,
  isFiltering,
  NO_FILTER,
  isStep,
  readAmount,
  readTable,
  writeAccept,
  writeColumns,
  writeFilter,
  writeMode,
  writeOpen,
  writeSort,
  type Changes,
} from "../../src/domain/tableState";
import { sampleRun } from "../support/sample";

const run = sampleRun();
const read = (query: string) => readTable(new URLSearchParams(query), run);

function put(query: string, changes: Changes): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes))
    if (value) next.set(name, value);
    else next.delete(name);
  return String(next);
}

test("an empty address is the table as at first", () => {
  const state = read("");
  expect(state.mode).toBe("dequantized");
  expect(state.sort).toEqual([{ id: "mean", desc: true }]);
  expect(state.filter).toEqual(NO_FILTER);
  expect(state.columns).toEqual([...["place", "was", "paper", "title", "track", "scores", "mean"]]);
  expect(state.open.size).toBe(0);
});

describe("what is written is read again, and what is as at first leaves no trace", () => {
  test("mode", () => {
    expect(read(put("", writeMode("given"))).mode).toBe("given");
    expect(put("mode=given", writeMode("dequantized"))).toBe("");
  });
  test("sort", () => {
    const sort = [
      { id: "track", desc: false },
      { id: "spread", desc: true },
    ] as const;
    const query = put("", writeSort([...sort]));
    expect(query).toBe("sort=track.-spread");
    expect(read(query).sort).toEqual(sort);
    expect(put(query, writeSort([{ id: "mean", desc: true }]))).toBe("");
  });
  test("filter", () => {
    const filter = {
      text: "a b & c",
      statistic: "spread",
      from: 0.5,
      to: 2,
      contradicts: true,
      part: "tied",
      values: { track: "Theory", area_chair: "Bob", decision: "Accept", tag: "late" },
    } as const;
    const query = put("accept=2", writeFilter(filter));
    expect(read(query).filter).toEqual(filter);
    expect(isFiltering(read(query).filter)).toBe(true);
    expect(put(query, clearFilter())).toBe("accept=2");
    expect(isFiltering({ ...NO_FILTER, statistic: "max" })).toBe(false);
  });
  test("the line", () => {
    for (const accept of [
      { amount: 2, percent: false, perTrack: false },
      { amount: 12.5, percent: true, perTrack: true },
    ])
      expect(read(put("", writeAccept(accept))).accept).toEqual(accept);
    expect(put("accept=2&per=track&line=tied", writeAccept(null))).toBe("");
    expect(read("line=tied").filter.part).toBeNull();
  });
  test("one part of the filter leaves the others alone", () => {
    expect(put("q=x&from=1", writeFilter({ from: null }))).toBe("q=x");
  });
  test("open rows", () => {
    const query = put("", writeOpen(new Set([2, 0]), run));
    expect(query).toBe("open=10+2");
    expect(read(query).open).toEqual(new Set([2, 0]));
    expect(put(query, writeOpen(new Set(), run))).toBe("");
  });
  test("columns", () => {
    const known = columnsOf(run, null);
    const fewer = put("", writeColumns(run, ["paper", "mean"], known, new URLSearchParams()));
    expect(read(fewer).columns).toEqual(["paper", "mean"]);
    const back = read("").columns;
    expect(put(fewer, writeColumns(run, back, known, new URLSearchParams(fewer)))).toBe("");
  });
});

test("an address that was cut or made up does no harm", () => {
  const state = read("mode=loud&sort=-nothing.rankings&from=abc&open=%25zz+99&columns=x");
  expect(state.mode).toBe("dequantized");
  expect(state.sort).toEqual([{ id: "mean", desc: true }]);
  expect(state.filter.from).toBeNull();
  expect(state.open.size).toBe(0);
  expect(state.columns).toEqual(["paper"]);
});

test.each([
  ["500", { amount: 500, percent: false }],
  [" 25 % ", { amount: 25, percent: true }],
  ["12.5%", { amount: 12.5, percent: true }],
  ["12,5%", { amount: 12.5, percent: true }],
  ["2,000", { amount: 2000, percent: false }],
  ["2.5", null],
  ["101%", null],
  ["-3", null],
  ["many", null],
  ["", null],
])("accept %o", (text, amount) => expect(readAmount(text)).toEqual(amount));

test("sort, filter and mode are steps in the history; typing on in a field is none", () => {
  const step = (query: string, changes: Changes) => isStep(changes, new URLSearchParams(query));
  expect(step("", writeMode("given"))).toBe(true);
  expect(step("q=a", writeFilter({ text: "ab" }))).toBe(false);
  expect(step("", writeFilter({ text: "a" }))).toBe(true);
  expect(step("q=a", writeFilter({ text: "" }))).toBe(true);
  expect(step("track=A", writeFilter({ values: { track: "B" } }))).toBe(true);
  expect(step("accept=5", { accept: "50", per: null })).toBe(false);
  expect(step("track=A", writeFilter({ values: { track: "A" } }))).toBe(false);
});
