// The row of a paper. Its button opens the reviews; arrow keys move between rows.
import { flexRender, type ColumnDef, type Row } from "@tanstack/react-table";
import { memo, type KeyboardEvent } from "react";

import { COLUMN_NAMES, isText, type Column } from "../../../domain/columns";
import { rulingOf } from "../../../domain/order";
import type { TableState } from "../../../domain/tableState";
import { useRun } from "../context";
import { PaperLink } from "../PaperLink";
import type { Mark } from "../line/shownLine";
import { isNumber } from "./tableColumns";

interface PaperRowProps {
  row: Row<number>;
  state: TableState; // what else the cells depend on
  columns: ColumnDef<number, unknown>[];
  order: Column[]; // of the columns, as the window has room for them
  rowIndex: number;
  height: number;
  open: boolean;
  active: boolean; // the one row that Tab reaches
  mark: Mark; // by the line
  selected: boolean | null; // null where papers cannot be selected
  onSelect: ((paper: number, range: boolean) => void) | undefined;
  onToggle(paper: number): void;
  onKey(event: KeyboardEvent, paper: number): void;
  onFocus(paper: number): void;
}

/** TanStack Table makes new row objects at every scroll: compare what a row shows instead. */
export const PaperRow = memo(
  DrawnRow,
  (before, after) =>
    before.row.original === after.row.original &&
    before.state === after.state &&
    before.columns === after.columns &&
    before.order === after.order &&
    before.mark === after.mark &&
    before.selected === after.selected &&
    before.rowIndex === after.rowIndex &&
    before.height === after.height &&
    before.active === after.active,
);

function DrawnRow({
  row,
  state,
  rowIndex,
  height,
  open,
  active,
  mark,
  selected,
  onSelect,
  onToggle,
  onKey,
  onFocus,
}: PaperRowProps) {
  const { run } = useRun();
  const paper = row.original;
  const id = run.view.papers.paper[paper];
  const sorted = rulingOf(state.sort).statistic;
  const tabIndex = active ? 0 : -1;
  const reach = {
    tabIndex,
    onKeyDown: (event: KeyboardEvent) => {
      if (onSelect && event.key.toLowerCase() === "x" && !event.ctrlKey && !event.metaKey)
        onSelect(paper, event.shiftKey);
      onKey(event, paper);
    },
    onFocus: () => onFocus(paper),
  };
  return (
    <tr
      aria-rowindex={rowIndex}
      className={`paper-row ${open ? "open" : ""} ${selected ? "selected" : ""} ${mark && `near ${mark}`}`}
      style={{ height }}
    >
      {row.getVisibleCells().map((cell) => {
        const column = cell.column.id as Column;
        if (column === "paper")
          return (
            <th key={cell.id} scope="row" className="col-paper">
              {selected !== null && (
                <input
                  type="checkbox"
                  className="picker no-print"
                  aria-label={`Select paper ${id}`}
                  checked={selected}
                  onChange={() => {}} // the click knows of Shift
                  onClick={(event) => onSelect?.(paper, event.shiftKey)}
                  {...reach}
                />
              )}
              <button
                type="button"
                className="opener"
                data-paper={paper}
                aria-expanded={open}
                aria-label={`Reviews of paper ${id}`}
                onClick={() => onToggle(paper)}
                {...reach}
              >
                <span aria-hidden="true" />
              </button>
              <PaperLink paper={paper} {...reach}>
                {id}
              </PaperLink>
            </th>
          );
        return (
          <td
            key={cell.id}
            data-name={COLUMN_NAMES[column]}
            dir={isText(column) ? "auto" : undefined}
            className={`col-${column} ${isNumber(column) ? "number" : ""} ${column === sorted ? "sorted" : ""}`}
          >
            {flexRender(cell.column.columnDef.cell, cell.getContext())}
          </td>
        );
      })}
    </tr>
  );
}
