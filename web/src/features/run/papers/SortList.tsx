// The columns that the table is sorted by, with buttons to reverse or remove each, and lists to choose
// from: on a touch screen there is no Shift, and cards have no headings.
import {
  COLUMN_NAMES,
  columnsOf,
  isSortable,
  startsDescending,
  type Column,
} from "../../../domain/columns";
import { keepRankBy, type SortBy } from "../../../domain/order";
import { writeSort } from "../../../domain/tableState";
import { useRun } from "../context";
import type { Table } from "../useTable";

export function SortList({ table }: { table: Table }) {
  const { run } = useRun();
  const { sort, mode, accept } = table.state;
  const change = (next: SortBy[]) => table.set(writeSort(run, keepRankBy(next, sort)));
  const columns = columnsOf(run, mode, accept).filter((column) => isSortable(run, column));
  const unused = columns.filter((column) => !sort.some(({ id }) => id === column));
  const by = (id: Column): SortBy => ({ id, desc: startsDescending(id) });
  return (
    <div className="sort-list">
      <span className="soft" id="sorted-by">
        Sorted by
      </span>
      <ol aria-labelledby="sorted-by">
        {sort.map(({ id, desc }) => {
          const name = COLUMN_NAMES[id];
          return (
            <li key={id}>
              <button
                type="button"
                aria-label={`${name}, ${desc ? "highest" : "lowest"} first: reverse`}
                onClick={() =>
                  change(sort.map((each) => (each.id === id ? { id, desc: !desc } : each)))
                }
              >
                {name} <span aria-hidden="true">{desc ? "↓" : "↑"}</span>
              </button>
              {sort.length > 1 && (
                <button
                  type="button"
                  aria-label={`Do not sort by ${name}`}
                  onClick={() => change(sort.filter((each) => each.id !== id))}
                >
                  <span aria-hidden="true">×</span>
                </button>
              )}
            </li>
          );
        })}
      </ol>
      <Choice text="Sort by" columns={columns} onChoose={(id) => change([by(id)])} />
      <Choice text="Then by" columns={unused} onChoose={(id) => change([...sort, by(id)])} />
    </div>
  );
}

/** A list that acts when a column is chosen, and then shows its label again. */
function Choice({
  text,
  columns,
  onChoose,
}: {
  text: string;
  columns: Column[];
  onChoose(column: Column): void;
}) {
  return (
    <select
      className="select small no-print"
      aria-label={text}
      value=""
      onChange={(event) => onChoose(event.target.value as Column)}
    >
      <option value="" disabled>
        {text} …
      </option>
      {columns.map((column) => (
        <option key={column} value={column}>
          {COLUMN_NAMES[column]}
        </option>
      ))}
    </select>
  );
}
