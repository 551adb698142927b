import { expect, test } from "vitest";

import { columnOf, columnsOf, keysOf } from "../../src/domain/columns";
import {
  changedMarks,
  importedLeft,
  labelsOf,
  marksOf,
  UNDECIDED,
} from "../../src/domain/decisions";
import { placesOf } from "../../src/domain/places";
import { withMarks } from "../../src/domain/run";
import { NO_FILTER, readTable } from "../../src/domain/tableState";
import { sampleRun, shownPapers } from "../support/sample";

const bare = sampleRun();
const ids = bare.view.papers.paper.map(String);
const [first = "", second = ""] = ids;
const listed = [
  { paper: first, decision: "Workshop", tags: ["late", "award"], note: "n" },
  { paper: second, decision: "Accept", tags: [], note: null },
  { paper: "of another run", decision: "Reject", tags: [], note: null },
];
const run = withMarks(bare, marksOf(bare, listed));
const MEAN = { statistic: "mean", desc: true } as const;

const shown = (filter: Partial<typeof NO_FILTER>) =>
  shownPapers(run, {
    mode: "dequantized",
    sort: [{ id: "paper", desc: false }],
    filter: { ...NO_FILTER, ...filter },
    accept: null,
  });

test("marks stand at their papers, and papers of other runs are left out", () => {
  expect(run.marks?.decision).toEqual(["Workshop", "Accept", null, null]);
  expect(columnOf("tags").textAt?.(run, 0)).toBe("late award");
  expect(labelsOf(run)).toEqual(["Accept", "Discuss", "Reject", "Workshop"]);
});

test("only those who may see marks have their columns", () => {
  const tags = columnOf("tags");
  expect(columnsOf(bare, null)).not.toContain(tags);
  expect(columnsOf(run, null)).toContain(tags);
  const shown = (of: typeof run) => readTable(new URLSearchParams(), of).columns;
  expect(shown(bare)).not.toContain("decision");
  expect(shown(run)).toContain("decision");
});

test("filters by decision and tag; papers without a decision can be asked for", () => {
  expect(shown({ values: { decision: "Accept" } })).toEqual([1]);
  expect(shown({ values: { decision: UNDECIDED } })).toEqual([2, 3]);
  expect(shown({ values: { tag: "award" } })).toEqual([0]);
});

test("other marks change the order by decision, and nothing that they do not concern", () => {
  const decision = columnOf("decision");
  const other = withMarks(
    bare,
    marksOf(bare, [{ paper: second, decision: "Zzz", tags: [], note: null }]),
  );
  expect(keysOf(run, decision, "dequantized")[1]).toBeLessThan(
    keysOf(run, decision, "dequantized")[0] ?? 0,
  );
  expect(keysOf(other, decision, "dequantized")[0]).toBeNaN();
  expect(placesOf(other, MEAN).now).toBe(placesOf(run, MEAN).now);
});

test("a change is foreseen for papers with and without marks", () => {
  const after = changedMarks(listed, [second, "new"], (marks) => ({ ...marks, decision: null }));
  expect(after.map(({ decision }) => decision)).toEqual(["Workshop", null, "Reject", null]);
});

test("decisions of the import count as left until the chairs decide", () => {
  const papers = { ...bare.view.papers, decision: ["Oral", "Poster", null, null] };
  const imported = { ...run, view: { ...run.view, papers } };
  expect(importedLeft(imported)).toBe(0);
  expect(importedLeft({ ...imported, marks: marksOf(bare, []) })).toBe(2);
  expect(columnOf("decision").textAt?.({ ...imported, marks: marksOf(bare, []) }, 0)).toBe("Oral");
  expect(importedLeft({ ...imported, marks: null })).toBe(0); // nobody here to take them
});

test("a line in the address goes before the saved one", () => {
  const saved = { amount: 2, percent: false, perTrack: false };
  const accept = (query: string) =>
    readTable(new URLSearchParams(query), bare, saved).accept?.amount;
  expect(accept("")).toBe(2);
  expect(accept("accept=3")).toBe(3);
});
