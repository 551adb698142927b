// The line and its parts in words.
import { acceptText, type Accept, type Part } from "../../../domain/line";
import type { Run } from "../../../domain/run";
import { statisticName, type Statistic } from "../../../domain/glossary";

/** "480", "25% in each track" */
export const lineText = (accept: Accept): string =>
  `${acceptText(accept)}${accept.perTrack ? " in each track" : ""}`;

export const PART_NAMES: Record<Part, string> = {
  stay: "In either way",
  in: "Comes in",
  out: "Drops out",
  tied: "Still tied",
  close: "Too close to call",
};

export const PART_TEXTS: Record<Part, string> = {
  stay: "Above the line by given scores and by new scores.",
  in: "Above the line now; by given scores below it, or tied with papers below it.",
  out: "Above the line by given scores, and below it now.",
  tied: "Tied across the line: the scores do not separate these papers.",
  close: "A chance of 10% to 90% to be in: the reviews cannot decide. An estimate by a model.",
};

/** Said where another statistic than the mean rules: the line and the chances then differ in kind. */
export const chancesGoByTheMean = (statistic: Statistic): string =>
  `Chances go by each paper’s mean under the model. The line goes by the ${statisticName(statistic)}.`;

/** What breaks ties of given scores in this run. */
export function settledBy({ view }: Run): string {
  const ranked = view.rankings.some(({ groups, pairs }) => groups.length || pairs.length);
  if (view.run.lam === "inf") return "rankings";
  return ranked ? "rankings and other reviews" : "other reviews";
}
