// One paper. Its button opens the reviews; arrow keys go from row to row.
import { flexRender, type Row } from "@tanstack/react-table";
import type { KeyboardEvent } from "react";

import type { Column } from "../../../data/columns";
import { useRun } from "../context";
import { PaperLink } from "../PaperLink";
import { isNumber } from "./tableColumns";

export function PaperRow({
  row,
  rowIndex,
  height,
  open,
  active,
  onToggle,
  onKey,
  onFocus,
}: {
  row: Row<number>;
  rowIndex: number;
  height: number;
  open: boolean;
  active: boolean; // the one row that Tab reaches
  onToggle(paper: number): void;
  onKey(event: KeyboardEvent, paper: number): void;
  onFocus(paper: number): void;
}) {
  const { run } = useRun();
  const paper = row.original;
  const id = run.view.papers.paper[paper];
  const tabIndex = active ? 0 : -1;
  const reach = {
    tabIndex,
    onKeyDown: (event: KeyboardEvent) => onKey(event, paper),
    onFocus: () => onFocus(paper),
  };
  return (
    <tr
      aria-rowindex={rowIndex}
      className={open ? "paper-row open" : "paper-row"}
      style={{ height }}
    >
      {row.getVisibleCells().map((cell) => {
        const column = cell.column.id as Column;
        if (column === "paper")
          return (
            <th key={cell.id} scope="row" className="col-paper">
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
          <td key={cell.id} className={`col-${column} ${isNumber(column) ? "number" : ""}`}>
            {flexRender(cell.column.columnDef.cell, cell.getContext())}
          </td>
        );
      })}
    </tr>
  );
}
