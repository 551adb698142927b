import { describe, expect, test } from "vitest";

import { ordered, shownPapers, sortedBy } from "../../src/domain/order";
import { MODES, openRun, valuesOf, type Mode, type Run } from "../../src/domain/run";
import { NO_FILTER } from "../../src/domain/tableState";
import { sampleRun, sampleView } from "../support/sample";
import { STATISTICS, type Statistic } from "../../src/domain/glossary";

const all = (run: Run) => run.view.papers.paper.map((_, paper) => paper);
const ids = (run: Run, papers: number[]) => papers.map((paper) => run.view.papers.paper[paper]);

/** Computed another way: from the reviews, one paper at a time, with plain sorting. */
function statisticOf(run: Run, mode: Mode, paper: number, statistic: Statistic): number {
  const values = valuesOf(run.view, mode).filter(
    (_, review) => run.view.reviews.paper[review] === paper,
  );
  const sorted = [...values].sort((a, b) => a - b);
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const half = sorted.length / 2;
  const middle =
    sorted.length % 2
      ? (sorted[Math.floor(half)] as number)
      : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { min, max, mean, median: middle, spread: max - min }[statistic];
}

describe.each(MODES)("sorted by what %s scores give", (mode) => {
  const run = sampleRun();
  test.each(
    STATISTICS.flatMap((statistic) => [[statistic, true] as const, [statistic, false] as const]),
  )("%s, descending: %s", (statistic, desc) => {
    const value = (paper: number) => statisticOf(run, mode, paper, statistic);
    const expected = all(run).sort(
      (a, b) => (desc ? value(b) - value(a) : value(a) - value(b)) || a - b,
    );
    expect(ordered(run, mode, [{ id: statistic, desc }], all(run))).toEqual(expected);
  });
});

test("ties go by the next column, then by the paper's number whatever the direction", () => {
  const run = sampleRun();
  const sort = [
    { id: "track", desc: true },
    { id: "reviews", desc: true },
  ] as const;
  expect(ids(run, ordered(run, "given", [...sort], all(run)))).toEqual([2, 10, 7, 30]);
  expect(ids(run, ordered(run, "given", [{ id: "area_chair", desc: true }], all(run)))).toEqual([
    10, 30, 2, 7,
  ]);
});

test("texts sort as a catalogue does, and what is missing comes last either way", () => {
  const run = sampleRun();
  const byTitle = (desc: boolean) =>
    ids(run, ordered(run, "given", [{ id: "title", desc }], all(run)));
  expect(byTitle(false)).toEqual([7, 30, 2, 10]);
  expect(byTitle(true)).toEqual([2, 30, 7, 10]);
});

test("numbers of papers sort by size, names by the numbers in them", () => {
  const view = sampleView();
  const named = (paper: (number | string)[]) =>
    openRun({ ...view, papers: { ...view.papers, paper } });
  const byId = (run: Run) =>
    ids(run, ordered(run, "given", [{ id: "paper", desc: false }], all(run)));
  expect(byId(named([30, 7, 2, 10]))).toEqual([2, 7, 10, 30]);
  expect(byId(named(["p10", "p9", "P1", "p2"]))).toEqual(["P1", "p2", "p9", "p10"]);
});

test("scores compare by the best, then the next best", () => {
  const run = sampleRun();
  expect(ids(run, ordered(run, "given", [{ id: "scores", desc: true }], all(run)))).toEqual([
    30, 2, 7, 10,
  ]);
});

test("the same question gives the same array, another one another", () => {
  const run = sampleRun();
  const ask = (desc: boolean) =>
    shownPapers(run, {
      mode: "given",
      sort: [{ id: "mean", desc }],
      filter: NO_FILTER,
      accept: null,
    });
  const first = ask(true);
  expect(ask(true)).toBe(first);
  expect(ask(false)).not.toEqual(first);
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
