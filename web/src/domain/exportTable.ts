// The papers or reviews shown, as a table for export: names and values as in the run's files.
import { columnOf, type Numbers } from "./columns";
import { reviewAt, type Run } from "./run";

/** "Demo-2026_First-run_2026-03-01_papers.csv"; without a date where the run has none. */
export function exportFileName({ view }: Run, table: string, format: string): string {
  const parts = [view.conference, view.name, view.finished?.slice(0, 10), table];
  const words = parts.map((part) => (part ?? "").replace(/[^\p{L}\p{N}]+/gu, "-"));
  const name = words.map((word) => word.replace(/^-|-$/g, "")).filter(Boolean);
  return `${name.join("_")}.${format}`;
}

/** The columns shown, in the order of the table. */
export const paperColumns = (run: Run, shown: string[], numbers: Numbers): CsvColumn[] =>
  shown.flatMap((id) => columnOf(id).csv(run, numbers));

export function reviewColumns(run: Run): CsvColumn[] {
  const { papers, reviews, reviewers, scale } = run.view;
  const at = (review: number) => reviewAt(run.view, review);
  const given = (score: number) => scale.symbols?.[scale.levels.indexOf(score)] ?? score;
  return [
    { name: "reviewer", cell: (review) => reviewers[at(review).reviewer] ?? null },
    { name: "paper", cell: (review) => papers.paper[at(review).paper] ?? null },
    { name: "score", cell: (review) => given(at(review).score) },
    ...(["dequantized", "percentile"] as const).map((name) => ({
      name,
      real: true,
      cell: (review: number) => reviews[name][review] ?? null,
    })),
  ];
}

export interface CsvColumn {
  name: string;
  real?: boolean; // written with a point, as Python writes floats: 5 as 5.0
  cell(row: number): string | number | null;
}

const RISKY = /^([\t\r\n]|[\s,;|]*[=+\-@])/;

function written(value: string | number | null, real: boolean): string {
  if (value === null) return "";
  if (typeof value === "number") return real && Number.isInteger(value) ? `${value}.0` : `${value}`;
  const shielded = RISKY.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(shielded) ? `"${shielded.replaceAll('"', '""')}"` : shielded;
}

export function csvOf(columns: CsvColumn[], rows: number[]): string {
  const lines = [columns.map(({ name }) => written(name, false)).join(",")];
  for (const row of rows)
    lines.push(columns.map(({ cell, real }) => written(cell(row), real ?? false)).join(","));
  return `${lines.join("\n")}\n`;
}
