// The comparison's state as it stands in the address.
import { MODES, type Mode } from "../../domain/run";
import { STATISTICS, type Statistic } from "../../domain/statistics";
import type { Column, Shown } from "./comparison";

export const MOST_RUNS = 6; // side by side; more would not fit a screen

export interface CompareState extends Shown {
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

function columnIn(text: string): Column {
  const known = ["paper", "title", "track", "difference", "rank"] as const;
  const run = /^run(\d)$/.exec(text);
  return run ? `run${Number(run[1])}` : (known.find((column) => column === text) ?? "difference");
}

/** A click on a header: the other way round, or from the end that people look at first. */
export function writeSort(column: Column, now: Pick<Shown, "sort" | "descending">): string | null {
  const first = !["paper", "title", "track"].includes(column);
  const descending = now.sort === column ? !now.descending : first;
  const text = `${descending ? "-" : ""}${column}`;
  return text === "-difference" ? null : text;
}
