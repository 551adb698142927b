import { expect, it } from "vitest";

import {
  answered,
  contradictionsIn,
  questionsFrom,
  withLiveAnswers,
} from "../../../src/features/ballot/contradictions";
import { questionText } from "../../../src/features/ballot/words";
import { content, LEVELS, papers } from "../../support/ballot";

const known = (scores: Record<string, number | null>) =>
  new Map(papers(scores).map((each) => [each.paper, each]));

it("finds every pair ordered against the scores, ties and papers without a score apart", () => {
  const own = known({ "1": 2, "2": 4, "3": 4, "4": null });
  const order = content({ groups: [["1"], ["4"], ["2", "3"]] });
  expect(contradictionsIn(order, own, LEVELS)).toEqual([
    { above: "1", below: "2" },
    { above: "1", below: "3" },
  ]);
});

it("takes the others as below once all places of the best are taken", () => {
  const own = known({ "1": 2, "2": 4, "3": 1 });
  const order = content({ groups: [["1"]], unplaced: ["2", "3"] });
  expect(contradictionsIn(order, own, LEVELS, 1)).toEqual([{ above: "1", below: "2" }]);
  expect(contradictionsIn(order, own, LEVELS, 2)).toEqual([]);
});

it("counts the score that the reviewer would change to", () => {
  const own = known({ "1": 2, "2": 4 });
  const order = content({ groups: [["1"], ["2"]], scores: { "1": 5 } });
  expect(contradictionsIn(order, own, LEVELS)).toEqual([]);
});

it("asks one question about a paper that stands above many", () => {
  const own = known({ "1": 2, "2": 4, "3": 5, "4": 3 });
  const order = content({ groups: [["1"], ["2"], ["3"], ["4"]] });
  const [first, second, ...rest] = questionsFrom(contradictionsIn(order, own, LEVELS), []);
  expect(rest).toEqual([]);
  expect(first && questionText(first, order, own)).toBe(
    "You put 1 above 2, 3 and 4 but gave it 2 and those 4, 5 and 3.",
  );
  expect(second && questionText(second, order, own)).toBe(
    "You put 2 above 3 but gave them 4 and 5.",
  );
});

it("asks one question about a paper that stands below many", () => {
  const own = known({ "1": 2, "2": 2, "3": 5 });
  const order = content({ groups: [["1"], ["2"], ["3"]] });
  const [only] = questionsFrom(contradictionsIn(order, own, LEVELS), []);
  expect(only && questionText(only, order, own)).toBe(
    "You put 3 below 1 and 2 but gave it 5 and those 2.",
  );
});

it("records one answer per pair, takes it back, and drops it when the order no longer contradicts", () => {
  const own = known({ "1": 2, "2": 4, "3": 5 });
  const order = content({ groups: [["1"], ["2"], ["3"]] });
  const pairs = contradictionsIn(order, own, LEVELS);
  const [question] = questionsFrom(pairs, []);
  if (!question) throw new Error("no question");
  const said = answered(order, question.pairs, "both");
  expect(said.answers.map(({ answer }) => answer)).toEqual(["both", "both"]);
  expect(questionsFrom(pairs, said.answers)[0]?.answer).toBe("both");
  expect(answered(said, question.pairs, null).answers).toEqual([]);
  const mended = { ...said, groups: [["3"], ["1"], ["2"]] };
  const left = withLiveAnswers(mended, contradictionsIn(mended, own, LEVELS));
  expect(left.answers).toEqual([{ above: "1", below: "2", answer: "both" }]);
});
