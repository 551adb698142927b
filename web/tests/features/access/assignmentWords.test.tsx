import { expect, it } from "vitest";

import type { AssignmentResult } from "../../../src/api/schema";
import {
  changesOf,
  outcomeOf,
  sameText,
  warningsIn,
} from "../../../src/features/access/Assignments";

const plan = (changes: Partial<AssignmentResult>): AssignmentResult => ({
  done: false,
  edition: 1,
  area_chairs: 1,
  papers: 1,
  added: 0,
  returning: 0,
  returning_links: 0,
  removed: 0,
  removed_links: 0,
  unknown_papers: 0,
  unknown_examples: [],
  unassigned_papers: 0,
  emails: 0,
  notes: [],
  issues: [],
  ...changes,
});

it("says who comes and goes, with their links", () => {
  expect(changesOf(plan({ added: 3, removed: 166, removed_links: 332 }))).toEqual([
    "adds 3 people",
    "removes 166 people, and 332 links stop working",
  ]);
  expect(changesOf(plan({ returning: 1, returning_links: 1 }))).toEqual([
    "brings back 1 person with 1 link",
  ]);
  expect(changesOf(plan({}))).toEqual([]);
  expect(sameText(plan({ area_chairs: 167, emails: 167 }))).toBe(
    "Same 167 people; 167 e-mail addresses added, papers updated.",
  );
  expect(sameText(plan({}))).toBe("Same 1 person; papers updated.");
});

it("says what looks like a mistake", () => {
  expect(
    warningsIn(plan({ unknown_papers: 1, unknown_examples: ["900001"], unassigned_papers: 1988 })),
  ).toEqual(["1 paper in no run: 900001", "1,988 papers of the newest run without an area chair"]);
  expect(warningsIn(plan({ notes: ["1 paper is left out."] }))).toEqual(["1 paper is left out."]);
  expect(warningsIn(plan({ unknown_papers: 9, unknown_examples: ["a", "b"] }))).toEqual([
    "9 papers in no run: a, b, …",
  ]);
  expect(warningsIn(plan({}))).toEqual([]);
  expect(outcomeOf(plan({}))).toBe("1 area chair with 1 paper.");
});
