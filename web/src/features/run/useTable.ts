// The table of papers: its state, from the address, and the papers that it shows.
import { useMemo } from "react";

import type { RankBy } from "../../domain/places";
import { rankByOf, shownPapers } from "../../domain/order";
import { isStep, readTable, type Changes, type TableState } from "../../domain/tableState";
import { useRoute } from "../../app/route";
import { useRun } from "./context";

export interface Table {
  state: TableState;
  rankBy: RankBy; // the statistic that gives the places
  papers: number[]; // shown, in order
  /** Change the table's order, filter, mode or line: Back undoes it. */
  set(changes: Changes): void;
  /** Change what is only a matter of looks: Back does not care. */
  show(changes: Changes): void;
}

export function useTable(): Table {
  const { run, line } = useRun();
  const { query, set } = useRoute();
  const savedLine = query.has("accept") ? null : line;
  const state = useMemo(() => readTable(query, run, savedLine), [query, run, savedLine]);
  const rankBy = useMemo(() => rankByOf(state.sort), [state.sort]);
  return {
    state,
    rankBy,
    papers: shownPapers(run, state),
    set: (changes) => set(changes, isStep(changes, query)),
    show: (changes) => set(changes),
  };
}
