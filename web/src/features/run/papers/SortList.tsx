// The columns that the table is sorted by, with buttons to reverse or remove each.
import { COLUMN_NAMES } from "../../../domain/columns";
import type { SortBy } from "../../../domain/order";
import { writeSort } from "../../../domain/tableState";
import type { Table } from "../useTable";

export function SortList({ table }: { table: Table }) {
  const { sort } = table.state;
  const change = (next: SortBy[]) => table.set(writeSort(next));
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
                onClick={() => change(sort.map((by) => (by.id === id ? { id, desc: !desc } : by)))}
              >
                {name} <span aria-hidden="true">{desc ? "↓" : "↑"}</span>
              </button>
              {sort.length > 1 && (
                <button
                  type="button"
                  aria-label={`Do not sort by ${name}`}
                  onClick={() => change(sort.filter((by) => by.id !== id))}
                >
                  <span aria-hidden="true">×</span>
                </button>
              )}
            </li>
          );
        })}
      </ol>
      <span className="hint no-print">Shift + click adds a column</span>
    </div>
  );
}
