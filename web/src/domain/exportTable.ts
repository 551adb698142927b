// What is shown, as a table to be written: the same names and values as in the run's files.
import { isStatistic, isText, type Column } from "./columns";
import type { CsvColumn } from "./csv";
import { rankingText } from "./rankings";
import { valuesOf, type Mode, type Run } from "./run";

export interface ExportRequest {
  format: "csv" | "xlsx";
  table: "papers" | "reviews";
  papers: (number | string)[] | null;
  columns: string[] | null;
}

const PREFIX: Record<Mode, string> = {
  given: "score",
  dequantized: "dequantized",
  percentile: "percentile",
};

const exportName = (column: Column, mode: Mode): string =>
  isStatistic(column) ? `${PREFIX[mode]}_${column}` : column;

/** Made by the page alone: the server has no columns for them. */
const PAGE_ONLY: Column[] = ["scores", "rankings"];

/** The columns to ask the server for, by the names that a run's tables give them. */
export function exportNames(shown: Column[], mode: Mode): string[] {
  return shown
    .filter((column) => !PAGE_ONLY.includes(column))
    .map((column) => exportName(column, mode));
}

export function paperColumns(run: Run, shown: Column[], mode: Mode): CsvColumn[] {
  return shown.map((column) => ({
    name: exportName(column, mode),
    real: isStatistic(column) || column === "moved",
    cell: paperCell(run, column, mode),
  }));
}

function paperCell(run: Run, column: Column, mode: Mode): CsvColumn["cell"] {
  const { papers, reviews } = run.view;
  if (column === "paper") return (paper) => papers.paper[paper] ?? null;
  if (isText(column)) return (paper) => papers[column]?.[paper] ?? null;
  if (isStatistic(column)) return (paper) => run.statistics[mode][paper]?.[column] ?? null;
  if (column === "moved") return (paper) => run.moved[paper] ?? null;
  const own = (paper: number) => run.reviewsOf[paper] ?? [];
  if (column === "reviews") return (paper) => own(paper).length;
  const values = valuesOf(run.view, mode);
  if (column === "scores")
    return (paper) =>
      own(paper)
        .map((review) => values[review])
        .join(" ");
  return (paper) =>
    own(paper)
      .map((review) => rankingText(run.view, reviews.reviewer[review] as number))
      .join(" | ");
}

export function reviewColumns(run: Run): CsvColumn[] {
  const { papers, reviews, reviewers, scale } = run.view;
  const symbols = scale.symbols;
  const given = (review: number) => reviews.score[review] as number;
  return [
    { name: "reviewer", cell: (review) => reviewers[reviews.reviewer[review] as number] ?? null },
    { name: "paper", cell: (review) => papers.paper[reviews.paper[review] as number] ?? null },
    {
      name: "score",
      cell: (review) => symbols?.[scale.levels.indexOf(given(review))] ?? given(review),
    },
    { name: "dequantized", real: true, cell: (review) => reviews.dequantized[review] ?? null },
    { name: "percentile", real: true, cell: (review) => reviews.percentile[review] ?? null },
  ];
}
