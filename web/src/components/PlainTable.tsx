// Tables with a header row.
import type { ReactNode } from "react";

import { ScrollRegion } from "./ScrollBox";

type HeadColumn =
  | string
  | {
      text: string;
      className?: string; // as for the cells below
      hidden?: boolean; // for screen readers only
    };

type Columns = readonly (HeadColumn | false)[]; // false: left out

/** Columns of numbers. */
export const numbers = (...names: string[]): HeadColumn[] =>
  names.map((text) => ({ text, className: "number" }));

interface TableProps {
  label?: string;
  columns: Columns;
  children: ReactNode; // rows
}

export function PlainTable({ label, columns, children }: TableProps) {
  return (
    <table className="plain" aria-label={label}>
      <TableHead columns={columns} />
      <tbody>{children}</tbody>
    </table>
  );
}

/** A table in a region of its own, named by the label, that scrolls where it is wider than the page. */
export function ScrollTable({ label, ...table }: TableProps & { label: string }) {
  return (
    <ScrollRegion label={label}>
      <PlainTable {...table} />
    </ScrollRegion>
  );
}

export function TableHead({ columns }: { columns: Columns }) {
  return (
    <thead>
      <tr>
        {columns.map((column, place) => column !== false && <Name key={place} column={column} />)}
      </tr>
    </thead>
  );
}

function Name({ column }: { column: HeadColumn }) {
  const {
    text,
    className,
    hidden = false,
  } = typeof column === "string" ? { text: column } : column;
  return (
    <th scope="col" className={className}>
      {hidden ? <span className="visually-hidden">{text}</span> : text}
    </th>
  );
}
