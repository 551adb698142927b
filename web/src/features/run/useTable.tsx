// The table of papers: its state, from the address, the papers that it shows, and the line among them.
import { createContext, useContext, useMemo, type ReactNode } from "react";

import { passing, followsLine, ordered, rankByOf } from "../../domain/order";
import { lineOf, type Line } from "../../domain/line";
import type { RankBy } from "../../domain/places";
import { isStep, readTable, type Changes, type TableState } from "../../domain/tableState";
import { useRoute } from "../../app/route";
import { useRun } from "./context";

interface Table {
  state: TableState;
  rankBy: RankBy; // the statistic that gives the places
  papers: number[]; // shown, in order
  line: Line | null;
  /** Change the table's order, filter, mode or line: Back undoes it. */
  set(changes: Changes): void;
  /** Change what is only a matter of looks: Back does not care. */
  show(changes: Changes): void;
}

const TableContext = createContext<Table | null>(null);

export function useTable(): Table {
  const table = useContext(TableContext);
  if (!table) throw new Error("useTable is for pages inside TableProvider");
  return table;
}

/** The same object for as long as its content is the same, so that what follows from it is computed once. */
function useSame<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  return useMemo(() => JSON.parse(text) as Value, [text]);
}

/** All papers are sorted once, whatever the filter. */
export function TableProvider({ children }: { children: ReactNode }) {
  const { run, line: saved } = useRun();
  const { query, set } = useRoute();
  const savedLine = query.has("accept") ? null : saved;
  const read = useMemo(() => readTable(query, run, savedLine), [query, run, savedLine]);
  const { mode } = read;
  const [sort, accept] = [useSame(read.sort), useSame(read.accept)];
  const [columns, filter] = [useSame(read.columns), useSame(read.filter)];
  const rankBy = useMemo(() => rankByOf(sort), [sort]);
  const line = useMemo(() => accept && lineOf(run, rankBy, accept), [run, rankBy, accept]);
  const sortLine = followsLine(sort) ? accept : null;
  const all = useMemo(() => ordered(run, mode, sort, sortLine), [run, mode, sort, sortLine]);
  const filterLine = filter.part ? accept : null;
  const papers = useMemo(
    () => passing(run, { mode, rankBy, filter, accept: filterLine }, all),
    [run, mode, rankBy, filter, filterLine, all],
  );
  const table = useMemo(
    () => ({
      state: { ...read, sort, accept, columns, filter },
      ...{ rankBy, papers, line },
      set: (changes: Changes) => set(changes, isStep(changes, query)),
      show: (changes: Changes) => set(changes),
    }),
    [read, sort, accept, columns, filter, rankBy, papers, line, set, query],
  );
  return <TableContext value={table}>{children}</TableContext>;
}
