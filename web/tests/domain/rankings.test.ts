import { describe, expect, test } from "vitest";

import { rankingText, reviewerTitle, shortReviewer } from "../../src/domain/rankings";
import { sampleRun, sampleView } from "../support/sample";

const run = sampleRun();

describe("rankings", () => {
  test.each([
    [0, "30 > 2 > 7 = ★"],
    [1, "10 > 7"],
    [2, "30 > 10"],
  ])("reviewer %d: %s", (reviewer, text) => expect(rankingText(run.view, reviewer)).toBe(text));
  test("pseudonyms and numbers are short in a table, and clear as a heading", () => {
    const view = sampleView({ reviewers: ["Al", "17", "Reviewer 3"] });
    expect([0, 1, 2].map((each) => shortReviewer(view, each))).toEqual(["Al", "R17", "R3"]);
    expect([0, 1, 2].map((each) => reviewerTitle(view, each))).toEqual([
      "Al",
      "Reviewer 17",
      "Reviewer 3",
    ]);
  });
});
