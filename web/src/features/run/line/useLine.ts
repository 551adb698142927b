// The line as pages show it: where the rule is drawn, and its parts in words.
import { useMemo } from "react";

import { acceptText, lineOf, type Accept, type Line, type Part } from "../../../domain/line";
import { useRun } from "../context";
import type { Table } from "../useTable";
import type { Run } from "../../../domain/run";
import { statisticName, type Statistic } from "../../../domain/glossary";

export function useLine({ state: { accept }, rankBy }: Table): Line | null {
  const { run } = useRun();
  return useMemo(() => accept && lineOf(run, rankBy, accept), [run, rankBy, accept]);
}

/** How many of the shown papers are above the rule; null where no rule can be drawn: the rows are in
 * another order, or in each of several tracks the line is elsewhere. */
export function acceptedOf(line: Line | null, table: Table): number | null {
  const { state, rankBy, papers } = table;
  if (!line || state.mode === "given" || state.sort[0]?.id !== rankBy.statistic) return null;
  if (line.accept.perTrack && state.filter.values.track === undefined) return null;
  return papers.reduce((size, paper) => size + (line.above[paper] ?? 0), 0);
}

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
