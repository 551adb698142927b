// The papers or reviews shown, as a table for export: names and values as in the run's files.
import { isStatistic, isText, textAt, type Column } from "./columns";
import { chancesOf, type Accept } from "./line";
import { placesOf, type RankBy } from "./places";
import { rankingText } from "./rankings";
import { hasScores, numberAt, reviewAt, valuesOf, type Mode, type Run } from "./run";
import { uncertaintyOf } from "./uncertainty";

const PREFIX: Record<Mode, string> = {
  given: "score",
  dequantized: "dequantized",
  percentile: "percentile",
};

const fileColumn = (column: Column, mode: Mode): string =>
  isStatistic(column) ? `${PREFIX[mode]}_${column}` : column;

/** "Demo-2026_First-run_2026-03-01_papers.csv"; without a date where the run has none. */
export function exportFileName({ view }: Run, table: string, format: string): string {
  const parts = [view.conference, view.name, view.finished?.slice(0, 10), table];
  const words = parts.map((part) => (part ?? "").replace(/[^\p{L}\p{N}]+/gu, "-"));
  const name = words.map((word) => word.replace(/^-|-$/g, "")).filter(Boolean);
  return `${name.join("_")}.${format}`;
}

export function paperColumns(
  run: Run,
  shown: Column[],
  mode: Mode,
  rankBy: RankBy,
  accept: Accept | null = null,
): CsvColumn[] {
  return shown.flatMap((column): CsvColumn[] => {
    if (column === "place") return placeColumns(run, mode, rankBy);
    if (isUncertaintyColumn(column)) return uncertaintyColumns(run, column, accept);
    return [
      {
        name: fileColumn(column, mode),
        real: isStatistic(column) || column === "moved" || column === "change",
        cell: paperCell(run, column, mode, rankBy),
      },
    ];
  });
}

/** First and last place, now and by given scores: numbers, since a spreadsheet takes 5-6 for a date. */
function placeColumns(run: Run, mode: Mode, rankBy: RankBy): CsvColumn[] {
  const { before, now } = placesOf(run, mode, rankBy);
  const column = (name: string, places: Int32Array): CsvColumn => ({
    name,
    cell: (paper) => places[paper] || null,
  });
  return [
    column("place", now.first),
    column("place_last", now.last),
    column("given_place", before.first),
    column("given_place_last", before.last),
  ];
}

type UncertaintyColumn = "place_range" | "mean_range" | "p_accept";
const isUncertaintyColumn = (column: Column): column is UncertaintyColumn =>
  ["place_range", "mean_range", "p_accept"].includes(column);

/** The ends of an interval in a column each, as in uncertainty.csv, and P(accept) for the line. */
function uncertaintyColumns(
  run: Run,
  column: UncertaintyColumn,
  accept: Accept | null,
): CsvColumn[] {
  const known = uncertaintyOf(run);
  const end = (name: "place_low" | "place_high" | "low" | "high"): CsvColumn => ({
    name,
    real: name === "low" || name === "high",
    cell: (paper) => known?.[name][paper] ?? null,
  });
  if (column === "place_range") return [end("place_low"), end("place_high")];
  if (column === "mean_range") return [end("low"), end("high")];
  const chances = accept && chancesOf(run, accept);
  return [{ name: "p_accept", real: true, cell: (paper) => finite(chances?.[paper]) }];
}

/** A number, or nothing for a paper without scores. */
const finite = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

function paperCell(run: Run, column: Column, mode: Mode, rankBy: RankBy): CsvColumn["cell"] {
  const { papers, reviews } = run.view;
  if (column === "paper") return (paper) => papers.paper[paper] ?? null;
  if (isText(column)) return (paper) => textAt(run, column, paper);
  if (isStatistic(column)) return (paper) => finite(run.statistics[mode][paper]?.[column]);
  if (column === "moved") return (paper) => finite(run.moved[paper]);
  if (column === "change") {
    const { change } = placesOf(run, mode, rankBy);
    return (paper) => finite(change[paper]);
  }
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
    ...(hasScores(run.view) ? (["dequantized", "percentile"] as const) : []).map((name) => ({
      name,
      real: true,
      cell: (review: number) => reviews[name][review] ?? null,
    })),
  ];
}

type Cell = string | number | null;

interface CsvColumn {
  name: string;
  real?: boolean; // written with a point, as Python writes floats: 5 as 5.0
  cell(row: number): Cell;
}

const RISKY = /^([\t\r\n]|[\s,;|]*[=+\-@])/;

function written(value: Cell, real: boolean): string {
  if (value === null) return "";
  if (typeof value === "number") return real && Number.isInteger(value) ? `${value}.0` : `${value}`;
  const shielded = RISKY.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(shielded) ? `"${shielded.replaceAll('"', '""')}"` : shielded;
}

/** At the start of a file, it makes Excel read UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";

export function csvOf(columns: CsvColumn[], rows: number[]): string {
  const lines = [columns.map(({ name }) => written(name, false)).join(",")];
  for (const row of rows)
    lines.push(columns.map(({ cell, real }) => written(cell(row), real ?? false)).join(","));
  return `${lines.join("\n")}\n`;
}
