// The columns of the table: their cells.
import type { ColumnDef } from "@tanstack/react-table";

import {
  COLUMN_NAMES,
  columnsOf,
  isSortable,
  isStatistic,
  isText,
  startsDescending,
  textAt,
  type Column,
} from "../../../domain/columns";
import { numberAt, type Run } from "../../../domain/run";
import { rangeOf } from "../../../domain/sureness";
import { Move } from "../marks";
import { PlaceChange } from "../PlaceChange";
import { MOVED_DIGITS, type Cells } from "./cellDigits";
import { Decision, Tags } from "../decisions/MarkCells";
import { ChanceCell, PlaceCell, Rankings, Scores, StatisticCell, Title } from "./cells";

const NUMBERS: Column[] = [
  ...(["moved", "reviews", "scores", "change"] as const),
  ...(["place_range", "mean_range", "p_accept"] as const),
];

export const isNumber = (column: Column): boolean =>
  isStatistic(column) || NUMBERS.includes(column);

export function tableColumns(run: Run, cells: Cells): ColumnDef<number, unknown>[] {
  return columnsOf(run, cells.mode, cells.accept).map((id) => ({
    id,
    accessorFn: (paper) => paper,
    header: COLUMN_NAMES[id],
    enableSorting: isSortable(id),
    sortDescFirst: startsDescending(id),
    cell: ({ row }) => cellOf(run, cells, id, row.original),
  }));
}

function cellOf(run: Run, cells: Cells, column: Column, paper: number) {
  const { mode, ruling } = cells;
  if (column === "place") return <PlaceCell paper={paper} mode={mode} ruling={ruling} />;
  if (column === "title") return <Title paper={paper} />;
  if (column === "decision") return <Decision paper={paper} />;
  if (column === "tags") return <Tags paper={paper} />;
  if (isText(column)) return textAt(run, column, paper) ?? "";
  if (column === "reviews") return run.reviewsOf[paper]?.length;
  if (column === "scores") return <Scores paper={paper} mode={mode} />;
  if (column === "rankings") return <Rankings paper={paper} />;
  if (column === "change") return <PlaceChange paper={paper} mode={mode} ruling={ruling} />;
  if (column === "moved") return <Move by={numberAt(run.moved, paper)} digits={MOVED_DIGITS} />;
  if (column === "place_range" || column === "mean_range") return rangeOf(run, column, paper);
  if (column === "p_accept") return <ChanceCell chance={numberAt(cells.chances ?? [], paper)} />;
  // PaperRow draws the paper's own cell.
  return isStatistic(column) ? (
    <StatisticCell paper={paper} statistic={column} cells={cells} />
  ) : null;
}
