// The line as the table shows it: where the rule is drawn, and which rows are marked.
import { useMemo } from "react";

import { lineOf, type Accept, type Line } from "../../../domain/line";
import { useRun } from "../context";
import type { Table } from "../useTable";

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
