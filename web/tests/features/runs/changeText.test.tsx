import { expect, it } from "vitest";

import { changeText } from "../../../src/features/runs/LastChanges";

const batch = (changes: object) => ({
  batch: "b".repeat(32),
  at: "2026-05-01T10:00:00Z",
  who: "owner",
  field: "decision" as const,
  before: [""],
  after: ["Reject"],
  papers: ["7"],
  count: 1,
  undoable: 1,
  ...changes,
});

it("says what a change did, in a few words", () => {
  expect(changeText(batch({}))).toBe("Reject: paper 7");
  expect(changeText(batch({ count: 1500 }))).toBe("Reject: 1,500 papers");
  expect(changeText(batch({ before: ["Reject"], after: [""] }))).toBe("decision removed: paper 7");
  expect(changeText(batch({ field: "tag", before: ["", "late"], after: ["", "best"] }))).toBe(
    "+best −late: paper 7",
  );
  expect(changeText(batch({ field: "note", after: ["x"] }))).toBe("note written: paper 7");
});
