import { expect, it } from "vitest";

import {
  atPlace,
  byScore,
  fromScores,
  moved,
  placeOf,
  shortened,
  stepDown,
  stepUp,
  tieAbove,
  type Order,
} from "../../../src/features/ballot/ballotOrder";
import { content, papers } from "../../support/ballot";

const order = (groups: string[][], unplaced: string[] = []): Order => ({
  groups,
  cannot_say: [],
  unplaced,
});
const groupsAfter = (from: Order, paper: string, target: Parameters<typeof moved>[2] | null) =>
  target && moved(from, paper, target).groups;

it("moves a paper up, out of a tie first, and stops at the top", () => {
  const start = order([["1"], ["2", "3"], ["4"]]);
  expect(groupsAfter(start, "3", stepUp(start, "3"))).toEqual([["1"], ["3"], ["2"], ["4"]]);
  expect(groupsAfter(start, "4", stepUp(start, "4"))).toEqual([["1"], ["4"], ["2", "3"]]);
  expect(stepUp(start, "1")).toBeNull();
});

it("moves a paper down: below a tie, then out of the order, then to those nobody can judge", () => {
  const start = order([["1"], ["2", "3"]], ["4"]);
  expect(groupsAfter(start, "2", stepDown(start, "2", true))).toEqual([["1"], ["3"], ["2"]]);
  expect(stepDown(order([["1"]]), "1", true)).toEqual({ kind: "unplaced" });
  expect(stepDown(start, "4", true)).toEqual({ kind: "cannot_say" });
  expect(stepDown(start, "4", false)).toBeNull();
});

it("ties a paper with the group above, and takes it out of its tie again", () => {
  const start = order([["1"], ["2"]], ["3"]);
  expect(groupsAfter(start, "2", tieAbove(start, "2"))).toEqual([["1", "2"]]);
  expect(tieAbove(start, "1")).toBeNull();
  expect(groupsAfter(start, "3", tieAbove(start, "3"))).toEqual([["1"], ["2", "3"]]);
  const tied = order([["1", "2"], ["3"]]);
  expect(groupsAfter(tied, "1", tieAbove(tied, "1"))).toEqual([["2"], ["1"], ["3"]]);
});

it("moves to a place by its number, counted without the paper", () => {
  const start = order([["1"], ["2", "3"], ["4"]]);
  expect(groupsAfter(start, "4", atPlace(start, "4", 1))).toEqual([["4"], ["1"], ["2", "3"]]);
  expect(groupsAfter(start, "1", atPlace(start, "1", 3))).toEqual([["2", "3"], ["1"], ["4"]]);
  expect(groupsAfter(start, "1", atPlace(start, "1", 4))).toEqual([["2", "3"], ["4"], ["1"]]);
});

it("counts places over ties", () => {
  const start = order([["1"], ["2", "3"], ["4"]]);
  expect(placeOf(start, "3")).toEqual({ number: 2, of: 4, tied: true });
  expect(placeOf(start, "4")).toEqual({ number: 4, of: 4, tied: false });
  expect(placeOf(order([], ["4"]), "4")).toBeNull();
});

it("keeps the best few and the paper just placed", () => {
  const full = order([["1"], ["2"], ["3"]]);
  expect(shortened(full, 2, "3")).toEqual(order([["1"], ["3"]], ["2"]));
  expect(shortened(full, null)).toBe(full);
});

it("groups papers by score, the best first, and starts an order from them", () => {
  const given = papers({ "1": 2, "2": 5, "3": 2, "4": null });
  expect(byScore(given).map(({ score }) => score)).toEqual([5, 2, null]);
  const started = fromScores(content({ cannot_say: ["3"] }), given);
  expect(started.groups).toEqual([["2"], ["1"]]);
  expect(started.unplaced).toEqual(["4"]);
  expect(started.cannot_say).toEqual(["3"]);
});
