import { describe, expect, test } from "vitest";

import { ordered, sortedBy } from "../../src/domain/order";
import { openRun, type Run } from "../../src/domain/run";
import { sampleRun, sampleView } from "../support/sample";

const ids = (run: Run, papers: number[]) => papers.map((paper) => run.view.papers.paper[paper]);

test("ties go by the next column, then by the paper's number whatever the direction", () => {
  const run = sampleRun();
  const sort = [
    { id: "track", desc: true },
    { id: "reviews", desc: true },
  ] as const;
  expect(ids(run, ordered(run, "given", [...sort]))).toEqual([2, 10, 7, 30]);
  expect(ids(run, ordered(run, "given", [{ id: "area_chair", desc: true }]))).toEqual([
    10, 30, 2, 7,
  ]);
});

test("texts sort as a catalogue does, and what is missing comes last either way", () => {
  const run = sampleRun();
  const byTitle = (desc: boolean) => ids(run, ordered(run, "given", [{ id: "title", desc }]));
  expect(byTitle(false)).toEqual([7, 30, 2, 10]);
  expect(byTitle(true)).toEqual([2, 30, 7, 10]);
});

test("numbers of papers sort by size, names by the numbers in them", () => {
  const view = sampleView();
  const named = (paper: (number | string)[]) =>
    openRun({ ...view, papers: { ...view.papers, paper } });
  const byId = (run: Run) => ids(run, ordered(run, "given", [{ id: "paper", desc: false }]));
  expect(byId(named([30, 7, 2, 10]))).toEqual([2, 7, 10, 30]);
  expect(byId(named(["p10", "p9", "P1", "p2"]))).toEqual(["P1", "p2", "p9", "p10"]);
});

test("scores compare by the best, then the next best", () => {
  const run = sampleRun();
  expect(ids(run, ordered(run, "given", [{ id: "scores", desc: true }]))).toEqual([30, 2, 7, 10]);
});

describe("a click on a heading", () => {
  const track = { id: "track", desc: false } as const;
  const mean = { id: "mean", desc: true } as const;
  test("sorts by it alone, numbers from the largest, texts from the first", () => {
    expect(sortedBy([track], "mean", false)).toEqual([mean]);
    expect(sortedBy([mean], "track", false)).toEqual([track]);
  });
  test("reverses it where it sorts last, and otherwise leaves it alone with its column", () => {
    expect(sortedBy([track, mean], "mean", false)).toEqual([track, { ...mean, desc: false }]);
    expect(sortedBy([track, mean], "track", false)).toEqual([{ ...track, desc: true }]);
  });
  test("with Shift adds it, or reverses it in its place", () => {
    expect(sortedBy([track], "mean", true)).toEqual([track, mean]);
    expect(sortedBy([track, mean], "track", true)).toEqual([{ ...track, desc: true }, mean]);
  });
});
