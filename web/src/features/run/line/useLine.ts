// The line as pages show it: where the rule is drawn, which rows are marked, and its parts in words.
import { useMemo } from "react";

import { lineOf, type Accept, type Line, type Part } from "../../../domain/line";
import { useRun } from "../context";
import type { Table } from "../useTable";
import type { Run } from "../../../domain/run";
import type { Statistic } from "../../../domain/glossary";

export interface ShownLine extends Line {
  accept: Accept;
}

export function useLine({ state: { mode, accept }, rankBy }: Table): ShownLine | null {
  const { run } = useRun();
  return useMemo(
    () => accept && { ...lineOf(run, mode, rankBy, accept), accept },
    [run, mode, rankBy, accept],
  );
}

/** How many of the shown papers are above the rule; null where no rule can be drawn: the rows are in
 * another order, or in each of several tracks the line is elsewhere. */
export function acceptedOf(line: ShownLine | null, table: Table): number | null {
  const { state, rankBy, papers } = table;
  if (!line || state.sort[0]?.id !== rankBy.statistic) return null;
  if (line.accept.perTrack && state.filter.track === null) return null;
  return papers.reduce((size, paper) => size + (line.above[paper] ?? 0), 0);
}

export type LineMark = "undecided" | "in" | "out" | "tied" | "grey" | "";
const MARKS = ["undecided", "in", "out", "grey", "tied"] as const;

/** What the line says about a paper, the most telling first. */
export const lineMarkOf = (line: ShownLine | null, paper: number): LineMark =>
  MARKS.find((part) => line?.parts[part][paper]) ?? "";

export const PART_TEXTS: Record<Part, string> = {
  clear: "Above the line by given scores, however ties are broken.",
  tied: "Tied across the line by given scores: more papers than places.",
  settled: "Tied across the line by given scores, and now above it.",
  undecided: "Still tied across the line: the scores do not separate these papers.",
  in: "Below the line by given scores, and now above it.",
  out: "Above the line by given scores, and now below it.",
  grey: "Above the line in 10% to 90% of the plausible orders: either side is possible. This rests on a model.",
};

/** Said where another statistic than the mean rules: the line and P(accept) then differ in kind. */
export const chancesGoByTheMean = (statistic: Statistic): string =>
  `P(accept) and the grey zone go by each paper’s mean under the model. The line goes by the ${statistic}.`;

/** What breaks ties of given scores in this run. */
export function settledBy({ view }: Run): string {
  const ranked = view.rankings.some(({ groups, pairs }) => groups.length || pairs.length);
  if (view.run.lam === "inf") return "rankings";
  return ranked ? "rankings and other reviews" : "other reviews";
}
