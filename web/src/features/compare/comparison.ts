// Papers of several runs side by side, and the state of that table in the address.
import { lambdaText } from "../../domain/format";
import { POLICIES, titleIn, UNRANKED, STATISTICS, type Statistic } from "../../domain/glossary";
import {
  compareLastNaN,
  numberAt,
  statisticOf,
  MODES,
  type Mode,
  type Run,
} from "../../domain/run";

export interface Row {
  id: string;
  number: number; // the id as a number, NaN for text
  title: string;
  track: string;
  values: number[]; // one per run, NaN where the paper is missing
  difference: number; // last minus first, NaN if the paper is missing in either
  rank: number; // places gained from first to last: positive is up
}

export type CompareColumn = "paper" | "title" | "track" | "difference" | "rank" | `run${number}`;

export interface ShownRows {
  sort: CompareColumn;
  descending: boolean;
  text: string;
  movedBy: number | null;
}

/** One row per paper of any of the runs. */
export function compared(runs: Run[], mode: Mode, statistic: Statistic): Row[] {
  const ids = [...new Set(runs.flatMap((run) => [...run.paperIndex.keys()]))];
  const rows = ids.map((id) => rowOf(id, runs, mode, statistic));
  const both = rows.filter((row) => !Number.isNaN(row.difference));
  const before = ranksOf(both.map(({ values }) => numberAt(values, 0)));
  const after = ranksOf(both.map(({ values }) => numberAt(values, values.length - 1)));
  both.forEach((row, index) => {
    row.rank = numberAt(before, index) - numberAt(after, index);
  });
  return rows;
}

function rowOf(id: string, runs: Run[], mode: Mode, statistic: Statistic): Row {
  const places = runs.map((run) => run.paperIndex.get(id));
  const values = runs.map((run, index) => {
    const place = places[index];
    return place === undefined ? Number.NaN : statisticOf(run, mode, place, statistic);
  });
  const latest = (column: "title" | "track") =>
    runs.reduce((earlier, run, index) => {
      const place = places[index];
      return (place === undefined ? null : run.view.papers[column]?.[place]) ?? earlier;
    }, "");
  return {
    id,
    number: id.trim() === "" ? Number.NaN : Number(id),
    title: latest("title"),
    track: latest("track"),
    values,
    difference: numberAt(values, values.length - 1) - numberAt(values, 0),
    rank: Number.NaN,
  };
}

/** 1 for the best; equal values share the better rank. */
export function ranksOf(values: number[]): number[] {
  const order = values.map((_, index) => index);
  order.sort((a, b) => numberAt(values, b) - numberAt(values, a));
  const ranks = new Array<number>(values.length);
  let rank = 0;
  order.forEach((index, position) => {
    const previous = order[position - 1];
    if (previous === undefined || values[previous] !== values[index]) rank = position + 1;
    ranks[index] = rank;
  });
  return ranks;
}

export function shownRows(rows: Row[], { sort, descending, text, movedBy }: ShownRows): Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = rows.filter((row) => {
    if (movedBy !== null && !(Math.abs(row.difference) >= movedBy)) return false;
    if (!words.length) return true;
    const hay = `${row.id}\n${row.title}\n${row.track}`.toLowerCase();
    return words.every((word) => hay.includes(word));
  });
  const sign = descending ? -1 : 1;
  const order = comparing(sort);
  return shown.sort((a, b) => order(a, b, sign) || byPaper(a, b));
}

const collator = new Intl.Collator("en", { numeric: true });

function byPaper(a: Row, b: Row): number {
  if (!Number.isNaN(a.number) && !Number.isNaN(b.number)) return a.number - b.number;
  return collator.compare(a.id, b.id);
}

function comparing(column: CompareColumn): (a: Row, b: Row, sign: number) => number {
  if (column === "paper") return (a, b, sign) => sign * byPaper(a, b);
  if (column === "title" || column === "track")
    return (a, b, sign) => sign * collator.compare(a[column], b[column]);
  const at = column.startsWith("run") ? Number(column.slice(3)) : -1;
  const key = (row: Row): number => {
    if (column === "difference" || column === "rank") return row[column];
    return row.values[at] ?? Number.NaN;
  };
  return (a, b, sign) => compareLastNaN(key(a), key(b), sign);
}

/** The settings that differ between the runs. */
export function differingSettings(runs: Run[]): { name: string; values: string[] }[] {
  const lines: [string, (run: Run) => string][] = [
    ["λ used", ({ view }) => lambdaText(view.run.lam)],
    ["λ setting", ({ view }) => view.run.settings.lam],
    ["Contradictions", ({ view }) => titleIn(POLICIES, view.run.settings.conflicts)],
    ["Smallest gap ε", ({ view }) => String(view.run.settings.epsilon)],
    ["Scale", ({ view }) => view.run.settings.scale.join(", ")],
    ["Unranked papers", ({ view }) => titleIn(UNRANKED, view.run.settings.unranked)],
    ["About the same within", ({ view }) => String(view.run.settings.same_within ?? "no bound")],
    ["Files", ({ view }) => view.run.inputs.map(inputInWords).join(", ")],
    ["Papers", (run) => run.papers.toLocaleString("en")],
    ["Reviews", (run) => run.reviews.toLocaleString("en")],
  ];
  return lines
    .map(([name, of]) => ({ name, values: runs.map(of) }))
    .filter(({ values }) => new Set(values).size > 1);
}

const inputInWords = ({ file, sha256 }: { file: string; sha256: string }): string =>
  `${file} (${sha256.slice(0, 8)})`;

const MOST_RUNS = 6; // side by side; more would not fit a screen

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
