// Tables of data: columns in one list, each with its heading and its cells.
import { useState, type ReactNode } from "react";

import { count } from "../domain/format";
import { Button } from "./buttons";
import { ScrollBox } from "./ScrollBox";

export interface DataColumn<Row> {
  head: string;
  cell(row: Row, index: number): ReactNode;
  number?: boolean; // aligned as numbers are
  onWide?: boolean; // left out on small screens
  hidden?: boolean; // the heading is for screen readers only
  names?: boolean; // its cells are the headings of their rows
  named?: boolean; // small screens, where rows are blocks, show the heading in front of the cell
  look?: string | ((row: Row) => string); // of the cells; "title" has the direction of its script
}

interface DataTableProps<Row> {
  label?: string; // of the table
  box?: string; // of the box with a scroll bar around it, where the table is larger
  look?: string; // of that box
  rows: readonly Row[];
  keyOf(row: Row, index: number): string | number;
  columns: readonly (DataColumn<Row> | false)[]; // false: left out
  actions?(row: Row): ReactNode; // in a last column
  most?: number; // rows at first, with a button that shows all
}

export function DataTable<Row>({
  label,
  box = label ?? "",
  look = "",
  most = Infinity,
  rows,
  columns,
  actions,
  keyOf,
}: DataTableProps<Row>) {
  const [first, more] = useFirst(rows, most);
  return (
    <>
      <ScrollBox label={box} className={look}>
        <PlainTable
          label={label}
          rows={first}
          keyOf={keyOf}
          columns={[
            ...columns,
            actions ? { head: "Actions", cell: actions, hidden: true, look: "actions" } : false,
          ]}
        />
      </ScrollBox>
      {more}
    </>
  );
}

/** The first of a list, and the button that shows all of them, or fewer again. */
export function useFirst<Item>(
  items: readonly Item[],
  most: number,
  what = "",
): [readonly Item[], ReactNode] {
  const [all, setAll] = useState(false);
  if (items.length <= most) return [items, null];
  const button = (
    <div className="row no-print">
      <Button onClick={() => setAll(!all)}>
        {all ? "Fewer" : `All ${count(items.length)} ${what}`.trim()}
      </Button>
    </div>
  );
  return [all ? items : items.slice(0, most), button];
}

/** The table alone, where something else scrolls. */
export function PlainTable<Row>({
  label,
  rows,
  keyOf,
  columns,
}: Pick<DataTableProps<Row>, "rows" | "keyOf" | "columns"> & { label: string | undefined }) {
  const shown = columns.filter((column) => column !== false);
  return (
    <table className="plain" aria-label={label}>
      <TableHead columns={shown} />
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row, index)}>
            {shown.map((column, place) => (
              <DataCell key={place} column={column} row={row} index={index} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type HeadColumn = Pick<DataColumn<never>, "head" | "number" | "onWide" | "hidden">;

export function TableHead({ columns }: { columns: readonly (HeadColumn | false)[] }) {
  return (
    <thead>
      <tr>
        {columns.map(
          (column, place) =>
            column && (
              <th key={place} scope="col" className={classesOf(column)}>
                {column.hidden ? (
                  <span className="visually-hidden">{column.head}</span>
                ) : (
                  column.head
                )}
              </th>
            ),
        )}
      </tr>
    </thead>
  );
}

function DataCell<Row>({
  column,
  row,
  index,
}: {
  column: DataColumn<Row>;
  row: Row;
  index: number;
}) {
  const { look = "", names, named, head } = column;
  const own = typeof look === "function" ? look(row) : look;
  const Cell = names ? "th" : "td";
  return (
    <Cell
      scope={names ? "row" : undefined}
      className={[classesOf(column), own].filter(Boolean).join(" ") || undefined}
      data-label={named ? head : undefined}
      dir={own === "title" ? "auto" : undefined}
    >
      {column.cell(row, index)}
    </Cell>
  );
}

const classesOf = ({ number, onWide }: HeadColumn): string | undefined =>
  [number && "number", onWide && "on-wide"].filter(Boolean).join(" ") || undefined;
