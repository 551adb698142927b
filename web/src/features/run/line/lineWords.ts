// The parts of the line in words.
import type { Part } from "../../../domain/line";
import type { Run, Statistic } from "../../../domain/run";

export const PART_TEXTS: Record<Part, string> = {
  clear: "By given scores above the line, whatever becomes of ties.",
  tied: "By given scores tied across the line: more papers than places.",
  settled: "Tied across the line by given scores, and now above it.",
  undecided: "Still tied across the line: the scores cannot tell these papers apart.",
  in: "By given scores below the line, and now above it.",
  out: "By given scores above the line, and now below it.",
  grey: "Above the line in 10% to 90% of the plausible orders: their side of it is not sure. This rests on a model.",
};

/** Said where another statistic than the mean rules: the line and P(accept) then differ in kind. */
export const chancesGoByTheMean = (statistic: Statistic): string =>
  `P(accept) and the grey zone go by each paper’s mean under the model. The line goes by the ${statistic}.`;

/** What tells papers with equal given scores apart in this run. */
export function settledBy({ view }: Run): string {
  const ranked = view.rankings.some(({ groups, pairs }) => groups.length || pairs.length);
  if (view.run.lam === "inf") return "rankings";
  return ranked ? "rankings and other reviews" : "other reviews";
}
