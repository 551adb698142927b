// The table of papers. Only the rows on screen are drawn: TanStack Virtual chooses them.
import {
  functionalUpdate,
  getCoreRowModel,
  useReactTable,
  type SortingState,
} from "@tanstack/react-table";
import { useMemo, useRef } from "react";

import type { Column } from "../../../domain/columns";
import type { SortBy } from "../../../domain/order";
import { writeOpen, writeSort } from "../../../domain/tableState";
import { useLatest } from "../../../components/useLatest";
import { useRun } from "../context";
import type { Table } from "../useTable";
import { HeaderCell } from "./HeaderCell";
import { ReviewsRow } from "./ReviewsRow";
import { PaperRow } from "./PaperRow";
import { tableColumns, widthOf } from "./tableColumns";
import { linesOf, useLines } from "./useLines";
import { useRowKeys } from "./useRowKeys";

export function PapersTable({ table }: { table: Table }) {
  const { run } = useRun();
  const { state, papers, set } = table;
  const frame = useRef<HTMLDivElement>(null);
  const stacked = state.columns.includes("rankings");
  const lines = useMemo(() => linesOf(papers, state.open), [papers, state.open]);
  const keys = useRowKeys(papers, frame);
  const shown = useLines({ run, papers, lines, stacked, active: keys.active, frame });
  const columns = useMemo(() => tableColumns(run, state.mode), [run, state.mode]);
  const drawn = shown.drawn.flatMap(({ line }) => (line.kind === "paper" ? [line.paper] : []));
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions never reach a memo
  const grid = useReactTable({
    data: drawn,
    columns,
    state: { sorting: state.sort, columnVisibility: visibility(columns, state.columns) },
    getRowId: (paper) => String(paper),
    getCoreRowModel: getCoreRowModel(),
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiRemove: false,
    autoResetPageIndex: false, // the rows change at every scroll
    onSortingChange: (change) =>
      set(writeSort(functionalUpdate(change, state.sort as SortingState) as SortBy[])),
  });
  const toggle = useLatest((paper: number) => {
    const open = new Set(state.open);
    if (!open.delete(paper)) open.add(paper);
    set(writeOpen(open, run));
  });
  const widths = state.columns.map((column) => widthOf(run, column, state.mode, stacked));
  return (
    <div className="papers-frame" ref={frame}>
      <table
        className={stacked ? "papers-table stacked" : "papers-table"}
        aria-label="Papers"
        aria-rowcount={lines.length + 1}
        style={{ minWidth: `${widths.reduce((sum, width) => sum + width, 0)}rem` }}
      >
        <colgroup>
          {state.columns.map((column, place) => (
            <col key={column} style={column === "title" ? {} : { width: `${widths[place]}rem` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {grid.getFlatHeaders().map((header) => (
              <HeaderCell key={header.id} header={header} several={state.sort.length > 1} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.drawn.flatMap(({ line, index, space, size }) => [
            space > 0 && <Space key={`space ${index}`} height={space} />,
            line.kind === "paper" ? (
              <PaperRow
                key={line.paper}
                state={state}
                row={grid.getRow(String(line.paper))}
                rowIndex={index + 2}
                height={size}
                open={state.open.has(line.paper)}
                active={keys.active === line.paper}
                onToggle={toggle}
                onKey={keys.onKey}
                onFocus={keys.onFocus}
              />
            ) : (
              <ReviewsRow
                key={`open ${line.paper}`}
                paper={line.paper}
                span={state.columns.length}
                index={index}
                rowIndex={index + 2}
                measure={shown.measure}
              />
            ),
          ])}
          {shown.spaceAfter > 0 && <Space height={shown.spaceAfter} />}
        </tbody>
      </table>
    </div>
  );
}

/** The height of the rows that are not drawn. */
function Space({ height }: { height: number }) {
  return <tr aria-hidden="true" className="space" style={{ height }} />;
}

function visibility(
  columns: { id?: string | undefined }[],
  shown: Column[],
): Record<string, boolean> {
  return Object.fromEntries(columns.map(({ id = "" }) => [id, shown.includes(id as Column)]));
}
