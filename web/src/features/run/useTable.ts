// The table of papers: its state, from the address, and the papers that it shows.
import { useMemo } from "react";

import { shownPapers } from "../../domain/order";
import { readTable, type Changes, type TableState } from "../../domain/tableState";
import { useRoute } from "../../app/route";
import { useRun } from "./context";

export interface Table {
  state: TableState;
  papers: number[]; // shown, in order
  set(changes: Changes): void;
}

export function useTable(): Table {
  const { run } = useRun();
  const { query, set } = useRoute();
  const state = useMemo(() => readTable(query, run), [query, run]);
  return { state, papers: shownPapers(run, state), set };
}
