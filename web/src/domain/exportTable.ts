// The papers or reviews shown, as a table for export: names and values as in the run's files.
import { calibratedOf, isStatistic, isText, textAt, type Column } from "./columns";
import { chancesOf, type Accept } from "./line";
import { placesOf, type RankBy } from "./places";
import { rankingText } from "./rankings";
import {
  hasScores,
  movesOf,
  numberAt,
  percentilesOf,
  reviewAt,
  statisticOf,
  valuesOf,
  type Mode,
  type Run,
} from "./run";
import { uncertaintyOf } from "./uncertainty";

const PREFIX: Record<Mode, string> = {
  given: "score",
  dequantized: "dequantized",
};

function fileColumn(column: Column, mode: Mode): string {
  if (isStatistic(column)) return `${PREFIX[mode]}_${column}`;
  if (column === "new_scores") return "dequantized_scores";
  return column === "percentile" ? "percentile_mean" : column;
}

/** Columns of real numbers. */
const REAL: Column[] = ["moved", "percentile", "calibrated"];

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
    if (column === "place" || column === "was") return placeColumns(run, column, rankBy);
    if (column === "recommendation")
      return (["recommendation", "area_chair_note"] as const).map((name) => ({
        name,
        cell: (paper) => run.marks?.[name][paper] ?? null,
      }));
    if (isUncertaintyColumn(column)) return uncertaintyColumns(run, column, accept);
    return [
      {
        name: fileColumn(column, mode),
        real: isStatistic(column) || REAL.includes(column),
        cell: paperCell(run, column, mode),
      },
    ];
  });
}

/** First and last place, now or by given scores: numbers, since a spreadsheet takes 5-6 for a date. */
function placeColumns(run: Run, column: "place" | "was", rankBy: RankBy): CsvColumn[] {
  const { before, now } = placesOf(run, rankBy);
  const [{ first, last }, name] = column === "place" ? [now, "place"] : [before, "given_place"];
  return [
    { name, cell: (paper) => first[paper] || null },
    { name: `${name}_last`, cell: (paper) => last[paper] || null },
  ];
}

type UncertaintyColumn = "place_range" | "mean_range" | "p_accept";
const isUncertaintyColumn = (column: Column): column is UncertaintyColumn =>
  ["place_range", "mean_range", "p_accept"].includes(column);

/** The ends of an interval in a column each, and the chance to be in for the line. */
function uncertaintyColumns(
  run: Run,
  column: UncertaintyColumn,
  accept: Accept | null,
): CsvColumn[] {
  const known = uncertaintyOf(run);
  const end = (name: "place_low" | "place_high" | "low" | "high"): CsvColumn => ({
    name: `model_${name}`,
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

function paperCell(run: Run, column: Column, mode: Mode): CsvColumn["cell"] {
  const { papers, reviews } = run.view;
  if (column === "paper") return (paper) => papers.paper[paper] ?? null;
  if (isText(column)) return (paper) => textAt(run, column, paper);
  if (isStatistic(column)) return (paper) => finite(statisticOf(run, mode, paper, column));
  if (column === "moved") return (paper) => finite(movesOf(run)[paper]);
  if (column === "calibrated") return (paper) => finite(calibratedOf(run)[paper]);
  if (column === "percentile") return (paper) => finite(percentilesOf(run)[paper]);
  const own = (paper: number) => run.reviewsOf[paper] ?? [];
  if (column === "reviews") return (paper) => own(paper).length;
  const values = valuesOf(run.view, column === "scores" ? "given" : "dequantized");
  if (column === "scores" || column === "new_scores")
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
