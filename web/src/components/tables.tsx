// Tables, and lists of short texts.
import type { ReactNode } from "react";

import { ScrollBox } from "./ScrollBox";

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
  label?: string | undefined;
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

/** A table in a box with a scroll bar of its own, named `box`, where the table is larger. */
export function BoxTable({
  label,
  box = label ?? "",
  look = "",
  ...table
}: TableProps & { box?: string; look?: string }) {
  return (
    <ScrollBox label={box} className={look}>
      <PlainTable label={label} {...table} />
    </ScrollBox>
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

/** Lists of short texts: lines, names with their values, and moments. */
export function DefinitionList({
  items,
  className,
}: {
  items: readonly (readonly [string, ReactNode])[];
  className: string;
}) {
  return (
    <dl className={className}>
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const LONG = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });

/** A moment in the reader's time zone, or only its day. */
export function Time({ at, day = false }: { at: string; day?: boolean }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={day ? undefined : LONG.format(moment)}>
      {(day ? DAY : LONG).format(moment)}
    </time>
  );
}

/** A bulleted list of short texts. */
export function Lines({
  lines,
  look = "",
  label,
}: {
  lines: string[];
  look?: string;
  label?: string;
}) {
  if (!lines.length) return null;
  return (
    <ul className={`lines ${look}`} aria-label={label}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
