// The header of a column. A click sorts by it; Shift + click adds it to the sorting.
import { flexRender, type Header } from "@tanstack/react-table";

import { COLUMN_TEXTS, type Column } from "../../../domain/columns";
import { isNumber } from "./tableColumns";

export function HeaderCell({
  header,
  several,
  plain,
}: {
  header: Header<number, unknown>;
  several: boolean; // sorted by more than one column
  plain: boolean; // without a button: a list chooses the order
}) {
  const { column } = header;
  const sorted = column.getIsSorted();
  const text = flexRender(column.columnDef.header, header.getContext());
  const classes = `col-${column.id} ${isNumber(column.id as Column) ? "number" : ""}`;
  const explained = COLUMN_TEXTS[column.id as Column];
  if (plain || !column.getCanSort())
    return (
      <th scope="col" className={`${classes} plain`} title={explained}>
        {text}
      </th>
    );
  return (
    <th
      scope="col"
      className={classes}
      title={explained}
      aria-sort={sorted === "asc" ? "ascending" : sorted === "desc" ? "descending" : undefined}
    >
      <button type="button" onClick={column.getToggleSortingHandler()}>
        {text}
        <span aria-hidden="true" className="sort-mark">
          {sorted === "asc" ? "↑" : sorted === "desc" ? "↓" : ""}
          {sorted && several ? <small>{column.getSortIndex() + 1}</small> : null}
        </span>
      </button>
    </th>
  );
}
