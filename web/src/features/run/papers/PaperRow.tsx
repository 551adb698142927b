// The row of a paper. Its button opens the reviews; arrow keys move between rows.
import { memo, type KeyboardEvent } from "react";

import { COLUMN_NAMES, isNumber, isText, type Column } from "../../../domain/columns";
import { useRun } from "../context";
import { PaperLink } from "../PaperLink";
import type { Mark } from "../line/shownLine";
import { PaperCell } from "./cells";
import type { Cells } from "./widths";

interface PaperRowProps {
  paper: number;
  columns: Column[]; // in order
  cells: Cells;
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

/** Drawn again only when one of these changes, not at every scroll. */
export const PaperRow = memo(DrawnRow);

function DrawnRow({
  paper,
  columns,
  cells,
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
  const id = run.view.papers.paper[paper];
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
      {columns.map((column) => {
        if (column === "paper")
          return (
            <th key={column} scope="row" className="col-paper">
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
            key={column}
            data-name={COLUMN_NAMES[column]}
            dir={isText(column) ? "auto" : undefined}
            className={`col-${column} ${isNumber(column) ? "number" : ""} ${column === cells.ruling.statistic ? "sorted" : ""}`}
          >
            <PaperCell column={column} paper={paper} cells={cells} />
          </td>
        );
      })}
    </tr>
  );
}
