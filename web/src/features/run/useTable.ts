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

/** The same object for as long as its content is the same, so that rows are drawn again only for others. */
function useSame<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  return useMemo(() => JSON.parse(text) as Value, [text]);
}

export function useTable(): Table {
  const { run, line } = useRun();
  const { query, set } = useRoute();
  const savedLine = query.has("accept") ? null : line;
  const read = useMemo(() => readTable(query, run, savedLine), [query, run, savedLine]);
  const [sort, accept] = [useSame(read.sort), useSame(read.accept)];
  const columns = useSame(read.columns);
  const state = useMemo(() => ({ ...read, sort, accept, columns }), [read, sort, accept, columns]);
  const rankBy = useMemo(() => rankByOf(state.sort), [state.sort]);
  return {
    state,
    rankBy,
    papers: shownPapers(run, state),
    set: (changes) => set(changes, isStep(changes, query)),
    show: (changes) => set(changes),
  };
}
