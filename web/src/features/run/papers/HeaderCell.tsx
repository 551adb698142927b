// The header of a column. A click sorts by it; Shift + click adds it to the sorting.
import {
  COLUMN_NAMES,
  COLUMN_TEXTS,
  isNumber,
  isSortable,
  type Column,
} from "../../../domain/columns";
import type { SortBy } from "../../../domain/order";

export function HeaderCell({
  column,
  sort,
  plain,
  onSort,
}: {
  column: Column;
  sort: SortBy[];
  plain: boolean; // without a button: a list chooses the order
  onSort(column: Column, adding: boolean): void;
}) {
  const place = sort.findIndex(({ id }) => id === column);
  const sorted = sort[place];
  const classes = `col-${column} ${isNumber(column) ? "number" : ""}`;
  const explained = COLUMN_TEXTS[column];
  if (plain || !isSortable(column))
    return (
      <th scope="col" className={`${classes} plain`} title={explained}>
        {COLUMN_NAMES[column]}
      </th>
    );
  return (
    <th
      scope="col"
      className={classes}
      title={explained}
      aria-sort={sorted && (sorted.desc ? "descending" : "ascending")}
    >
      <button type="button" onClick={(event) => onSort(column, event.shiftKey)}>
        {COLUMN_NAMES[column]}
        <span aria-hidden="true" className="sort-mark">
          {sorted && (sorted.desc ? "↓" : "↑")}
          {sorted && sort.length > 1 ? <small>{place + 1}</small> : null}
        </span>
      </button>
    </th>
  );
}
