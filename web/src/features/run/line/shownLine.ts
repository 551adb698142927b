// The line as pages show it: where the rule is drawn, which rows are marked, and its parts in words.
import { useMemo } from "react";

import { lineOf, type Accept, type Line, type Part } from "../../../domain/line";
import { useRun } from "../context";
import type { Table } from "../useTable";
import type { Run, Statistic } from "../../../domain/run";

export interface ShownLine extends Line {
  accept: Accept;
}

export function useLine({ state: { mode, accept }, ruling }: Table): ShownLine | null {
  const { run } = useRun();
  return useMemo(
    () => accept && { ...lineOf(run, mode, ruling, accept), accept },
    [run, mode, ruling, accept],
  );
}

/** How many of the shown papers are above the rule; null where no rule can be drawn: the rows are in
 * another order, or in each of several tracks the line is elsewhere. */
export function acceptedOf(line: ShownLine | null, table: Table): number | null {
  const { state, ruling, papers } = table;
  if (!line || state.sort[0]?.id !== ruling.statistic) return null;
  if (line.accept.perTrack && state.filter.track === null) return null;
  return papers.reduce((size, paper) => size + (line.above[paper] ?? 0), 0);
}

export type Mark = "undecided" | "in" | "out" | "tied" | "grey" | "";
const MARKS = ["undecided", "in", "out", "grey", "tied"] as const;

/** What the line says about a paper, the most telling first. */
export const markOf = (line: ShownLine | null, paper: number): Mark =>
  MARKS.find((part) => line?.parts[part][paper]) ?? "";

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
