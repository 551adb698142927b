// The columns of the table: their widths and cells.
import type { ColumnDef } from "@tanstack/react-table";

import {
  COLUMN_NAMES,
  columnsOf,
  isStatistic,
  isText,
  startsDescending,
  type Column,
} from "../../../domain/columns";
import { fixed, statisticDigits } from "../../../domain/format";
import { numberAt, statisticOf, type Mode, type Run } from "../../../domain/run";
import { Move } from "../marks";
import { Rankings, Scores, Title } from "./cells";

/** In rem; the title takes what is left. */
const WIDTHS: Record<Column, number> = {
  paper: 6.25,
  title: 12,
  track: 7.5,
  area_chair: 7,
  decision: 7,
  reviews: 5,
  scores: 0, // by the number of reviews
  rankings: 16,
  min: 3.9,
  max: 3.9,
  mean: 4.5,
  median: 5.25,
  spread: 5.25,
  moved: 5.25,
};
const SCORE_WIDTH: Record<Mode, number> = { given: 1.75, dequantized: 3.2, percentile: 2.8 };
const MOST_SCORES = 6;

export function widthOf(run: Run, column: Column, mode: Mode, stacked: boolean): number {
  if (column !== "scores") return WIDTHS[column];
  if (stacked) return 4.75;
  const most = run.reviewsOf.reduce((sum, reviews) => Math.max(sum, reviews.length), 0);
  return Math.max(5, 1 + SCORE_WIDTH[mode] * Math.min(most, MOST_SCORES));
}

export const isNumber = (column: Column): boolean =>
  isStatistic(column) || column === "moved" || column === "reviews" || column === "scores";

export function tableColumns(run: Run, mode: Mode): ColumnDef<number, unknown>[] {
  return columnsOf(run, mode).map((id) => ({
    id,
    accessorFn: (paper) => paper,
    header: COLUMN_NAMES[id],
    enableSorting: id !== "rankings",
    sortDescFirst: startsDescending(id),
    cell: ({ row }) => cellOf(run, mode, id, row.original),
  }));
}

function cellOf(run: Run, mode: Mode, column: Column, paper: number) {
  if (column === "title") return <Title paper={paper} />;
  if (isText(column)) return run.view.papers[column]?.[paper] ?? "";
  if (column === "reviews") return run.reviewsOf[paper]?.length;
  if (column === "scores") return <Scores paper={paper} mode={mode} />;
  if (column === "rankings") return <Rankings paper={paper} />;
  if (column === "moved") return <Move by={numberAt(run.moved, paper)} />;
  if (!isStatistic(column)) return null; // PaperRow draws the paper's own cell
  return fixed(statisticOf(run, mode, paper, column), statisticDigits(run.view, mode)[column]);
}
