// The papers or reviews shown, as a table for export: names and values as in the run's files.
import { isStatistic, isText, type Column } from "./columns";
import type { CsvColumn } from "./csv";
import { rankingText } from "./rankings";
import { numberAt, reviewAt, valuesOf, type Mode, type Run } from "./run";

const PREFIX: Record<Mode, string> = {
  given: "score",
  dequantized: "dequantized",
  percentile: "percentile",
};

const fileColumn = (column: Column, mode: Mode): string =>
  isStatistic(column) ? `${PREFIX[mode]}_${column}` : column;

/** Columns that only the page has. */
const PAGE_ONLY: Column[] = ["scores", "rankings"];

/** The columns to ask the server for, by the names that a run's tables give them. */
export function exportNames(shown: Column[], mode: Mode): string[] {
  return shown
    .filter((column) => !PAGE_ONLY.includes(column))
    .map((column) => fileColumn(column, mode));
}

export function paperColumns(run: Run, shown: Column[], mode: Mode): CsvColumn[] {
  return shown.map((column) => ({
    name: fileColumn(column, mode),
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
      .map((review) => rankingText(run.view, numberAt(reviews.reviewer, review)))
      .join(" | ");
}

export function reviewColumns(run: Run): CsvColumn[] {
  const { papers, reviews, reviewers, scale } = run.view;
  const at = (review: number) => reviewAt(run.view, review);
  const given = (score: number) => scale.symbols?.[scale.levels.indexOf(score)] ?? score;
  return [
    { name: "reviewer", cell: (review) => reviewers[at(review).reviewer] ?? null },
    { name: "paper", cell: (review) => papers.paper[at(review).paper] ?? null },
    { name: "score", cell: (review) => given(at(review).score) },
    { name: "dequantized", real: true, cell: (review) => reviews.dequantized[review] ?? null },
    { name: "percentile", real: true, cell: (review) => reviews.percentile[review] ?? null },
  ];
}
