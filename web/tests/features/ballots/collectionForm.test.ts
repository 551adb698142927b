import { expect, it } from "vitest";

import {
  emptyForm,
  instructionsFor,
  requestOf,
  sourceOf,
} from "../../../src/features/ballots/collectionForm";

const form = emptyForm("1");

it.each([
  [
    {},
    "",
    "Please put the papers that you reviewed in order, the best first.\nPapers that are about the same may share a place; leave out what you cannot compare.",
  ],
  [
    { ties: false, may_skip: false },
    "",
    "Please put the papers that you reviewed in order, the best first.",
  ],
  [
    { ties: false },
    "3",
    "Please choose the best 3 of the papers that you reviewed, the best first.",
  ],
  [
    { mode: "pairs" as const, may_skip: false },
    "",
    "Please say which of two papers that you reviewed is the better one, or that they are about the same.\nYou may stop at any time: what you answered until then counts.",
  ],
])("instructions say what the options allow: %o %s", (options, best, text) => {
  expect(instructionsFor({ ...form, best, options: { ...form.options, ...options } })).toBe(text);
});

it("sends the instructions that the chair wrote, or those of the options", () => {
  const source = sourceOf(form);
  if (!source) throw new Error("no source");
  expect(requestOf(form, source).instructions).toBe(instructionsFor(form));
  expect(requestOf({ ...form, instructions: " Mine \n" }, source).instructions).toBe("Mine");
  expect(requestOf({ ...form, instructions: "" }, source).instructions).toBe("");
});
