// Tables of data: columns in one list, each with its heading and its cells, in boxes that scroll.
import { Fragment, useState, type ReactNode, useEffect, useRef } from "react";

import { count } from "../domain/format";
import { Button } from "./buttons";
import "./components.css";

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
  below?(row: Row): ReactNode; // in a row of its own
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
  below,
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
          below={below}
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
  below,
}: Pick<DataTableProps<Row>, "rows" | "keyOf" | "columns"> & {
  label: string | undefined;
  below?: DataTableProps<Row>["below"];
}) {
  const shown = columns.filter((column) => column !== false);
  const rowsOf = (row: Row, index: number) => {
    const more = below?.(row);
    return (
      <Fragment key={keyOf(row, index)}>
        <tr className={more ? "continued" : undefined}>
          {shown.map((column, position) => (
            <DataCell key={position} column={column} row={row} index={index} />
          ))}
        </tr>
        {more && (
          <tr>
            <td colSpan={shown.length}>{more}</td>
          </tr>
        )}
      </Fragment>
    );
  };
  return (
    <table className="plain" aria-label={label}>
      <thead>
        <tr>
          {shown.map((column, position) => (
            <th key={position} scope="col" className={classesOf(column)}>
              {column.hidden ? <span className="visually-hidden">{column.head}</span> : column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{rows.map(rowsOf)}</tbody>
    </table>
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

const classesOf = ({
  number,
  onWide,
}: Pick<DataColumn<never>, "number" | "onWide">): string | undefined =>
  [number && "number", onWide && "on-wide"].filter(Boolean).join(" ") || undefined;

function ScrollBox({
  label,
  className = "",
  children,
}: {
  label: string; // announced when the box takes the focus
  className?: string;
  children: ReactNode;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const box = frame.current;
    if (!box || !("ResizeObserver" in window)) return;
    const measure = () =>
      setScrolls(box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight);
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    for (const child of box.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  const reachable = scrolls ? { role: "region", "aria-label": label, tabIndex: 0 } : {};
  return (
    <div ref={frame} className={`scroll-box ${className}`} {...reachable}>
      {children}
    </div>
  );
}
