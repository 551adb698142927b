// Tables as CSV, as Python's writer makes them: UTF-8, LF, and no text that a spreadsheet would run.
export type Cell = string | number | null;

export interface CsvColumn {
  name: string;
  real?: boolean; // written with a point, as Python writes floats: 5 as 5.0
  cell(row: number): Cell;
}

const RISKY = /^[=+\-@\t\r]/;

function written(value: Cell, real: boolean): string {
  if (value === null) return "";
  if (typeof value === "number") return real && Number.isInteger(value) ? `${value}.0` : `${value}`;
  const shielded = RISKY.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(shielded) ? `"${shielded.replaceAll('"', '""')}"` : shielded;
}

/** Written first, it tells Excel that the file is UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";

export function csvOf(columns: CsvColumn[], rows: number[]): string {
  const lines = [columns.map(({ name }) => written(name, false)).join(",")];
  for (const row of rows)
    lines.push(columns.map(({ cell, real }) => written(cell(row), real ?? false)).join(","));
  return `${lines.join("\n")}\n`;
}
