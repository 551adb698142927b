// The state of the comparison in the address.
import { MODES, STATISTICS, type Mode, type Statistic } from "../../domain/run";
import type { CompareColumn, ShownRows } from "./comparison";

export const MOST_RUNS = 6; // side by side; more would not fit a screen

export interface CompareState extends ShownRows {
  runs: string[];
  mode: Mode;
  statistic: Statistic;
}

export function readCompare(query: URLSearchParams): CompareState {
  const runs = [...new Set((query.get("runs") ?? "").split(",").filter(Boolean))];
  const sort = query.get("sort") ?? "-difference";
  const moved = Number(query.get("moved") || Number.NaN);
  return {
    runs: runs.slice(0, MOST_RUNS),
    mode: MODES.find((mode) => mode === query.get("mode")) ?? "dequantized",
    statistic: STATISTICS.find((each) => each === query.get("of")) ?? "mean",
    sort: columnIn(sort.replace(/^-/, "")),
    descending: sort.startsWith("-"),
    text: query.get("q") ?? "",
    movedBy: Number.isFinite(moved) ? moved : null,
  };
}

function columnIn(text: string): CompareColumn {
  const columns = ["paper", "title", "track", "difference", "rank"] as const;
  const run = /^run(\d)$/.exec(text);
  return run ? `run${Number(run[1])}` : (columns.find((column) => column === text) ?? "difference");
}

/** The sort parameter after a click on a header: reversed, or the usual direction of the column. */
export function sortAfterClick(
  column: CompareColumn,
  now: Pick<ShownRows, "sort" | "descending">,
): string | null {
  const first = !["paper", "title", "track"].includes(column);
  const descending = now.sort === column ? !now.descending : first;
  const text = `${descending ? "-" : ""}${column}`;
  return text === "-difference" ? null : text;
}
