import { expect, it } from "vitest";

import words from "../../src/domain/glossary.json";
import {
  issueAdvice,
  issueTitle,
  lambdaChoice,
  POLICIES,
  stageTitle,
  titleIn,
} from "../../src/domain/glossary";

it("has a title for every value, and a sentence unless the title says it all", () => {
  const { lambda_reasons: clauses, ...groups } = words;
  expect(Object.keys(clauses)).toContain("auto");
  for (const group of Object.values(groups))
    for (const [name, entry] of Object.entries<string | { title: string; text: string }>(group)) {
      const { title, text = null } = typeof entry === "string" ? { title: entry } : entry;
      expect(title, name).toMatch(/^([\p{Lu}“]|pretalx$)/u);
      if (text !== null) expect(text, name).toMatch(/\.$/);
    }
});

it("knows kinds of issues, and shows unknown ones as the server names them", () => {
  expect(issueTitle("contradiction")).toBe(words.issue_kinds.contradiction.title);
  expect(issueTitle("new-kind")).toBe("New-kind");
  expect(issueAdvice("new-kind", "ask the reviewer")).toBe("Ask the reviewer.");
  expect(issueAdvice("new-kind", "")).toBe("");
});

it("knows policies, and shows unknown ones as they are", () => {
  expect(titleIn(POLICIES, "scores")).toBe(POLICIES.scores.title);
  expect([titleIn(POLICIES, "new"), titleIn(POLICIES, null)]).toEqual(["new", ""]);
});

it("says what a job is doing", () => {
  expect(stageTitle("queued", null)).toBe("Waiting for its turn");
  expect(stageTitle("running", null)).toBe("Starting");
  expect(stageTitle("running", "validating")).toBe(words.stages.validating.title);
  expect(stageTitle("running", "packing")).toBe("Packing");
});

it("tells choices of λ from numbers", () => {
  expect(["auto", "auto+", "inf", "4", "x"].map(lambdaChoice)).toEqual([
    "auto",
    "auto+",
    "inf",
    "given",
    "given",
  ]);
});
