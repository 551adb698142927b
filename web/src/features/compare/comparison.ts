// Papers of several runs side by side, and the state of that table in the address.
import { lambdaText } from "../../domain/format";
import type { Accept } from "../../domain/line";
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
  places: number[]; // one per run, by the values of all its papers; tied papers share the better
  rank: number; // places gained from first to last: positive is up
  sides: Side[]; // of the line, one per run; none without a line
  why: string;
}

/** Of the line; tied: some of the papers in that place are above it. */
export type Side = "in" | "tied" | "out" | "–";

export type CompareColumn = "paper" | "title" | "track" | "side" | "rank" | `run${number}`;

export interface ShownRows {
  sort: CompareColumn;
  descending: boolean;
  text: string;
  changing: boolean; // only papers that change side
}

/** One row per paper of any of the runs. */
export function compared(
  runs: Run[],
  mode: Mode,
  statistic: Statistic,
  line: Accept | null = null,
): Row[] {
  const ids = [...new Set(runs.flatMap((run) => [...run.paperIndex.keys()]))];
  const rows = ids.map((id) => rowOf(id, runs, mode, statistic));
  for (const [run] of runs.entries()) {
    const there = rows.filter(({ values }) => !Number.isNaN(values[run]));
    const places = ranksOf(there.map(({ values }) => numberAt(values, run)));
    there.forEach((row, index) => (row.places[run] = numberAt(places, index)));
    for (const some of line ? groupsOf(there, line) : []) markSides(some, run, line as Accept);
  }
  for (const row of rows)
    row.rank = numberAt(row.places, 0) - numberAt(row.places, runs.length - 1);
  return rows;
}

/** The papers among which the line is drawn: all of them, or those of each track. */
function groupsOf(rows: Row[], { perTrack }: Accept): Row[][] {
  if (!perTrack) return [rows];
  const tracks = [...new Set(rows.map(({ track }) => track))];
  return tracks.map((name) => rows.filter(({ track }) => track === name));
}

function markSides(rows: Row[], run: number, { amount, percent }: Accept): void {
  const most = percent ? Math.round((amount / 100) * rows.length) : amount;
  const places = ranksOf(rows.map(({ values }) => numberAt(values, run)));
  const tied = new Map<number, number>();
  for (const place of places) tied.set(place, (tied.get(place) ?? 0) + 1);
  rows.forEach((row, index) => {
    const first = numberAt(places, index);
    const last = first + (tied.get(first) ?? 1) - 1;
    row.sides[run] = last <= most ? "in" : first > most ? "out" : "tied";
  });
}

export const changesSide = ({ sides }: Row): boolean => sides[0] !== sides.at(-1);

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
    places: values.map(() => Number.NaN),
    rank: Number.NaN,
    sides: values.map(() => "–"),
    why: whyOf(runs, places),
  };
}

/** What may explain a change: other scores, or a reviewer who contradicts themselves. */
function whyOf(runs: Run[], places: (number | undefined)[]): string {
  const given = runs.flatMap((run, index) => {
    const place = places[index];
    return place === undefined ? [] : [statisticOf(run, "given", place, "mean")];
  });
  if (new Set(given).size > 1) return "given scores changed";
  const contradicted = runs.some((run, index) => run.contradicted.has(places[index] ?? -1));
  return contradicted ? "a reviewer contradicts their own score" : "";
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

export function shownRows(rows: Row[], { sort, descending, text, changing }: ShownRows): Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = rows.filter((row) => {
    if (changing && !changesSide(row)) return false;
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
  if (column === "side")
    return (a, b, sign) => sign * (Number(changesSide(a)) - Number(changesSide(b)));
  const key = (row: Row): number => (column === "rank" ? row.rank : numberAt(row.places, at));
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
  const sort = query.get("sort") ?? "-rank";
  return {
    runs: runs.slice(0, MOST_RUNS),
    mode: MODES.find((mode) => mode === query.get("mode")) ?? "dequantized",
    statistic: STATISTICS.find((each) => each === query.get("of")) ?? "mean",
    sort: columnIn(sort.replace(/^-/, "")),
    descending: sort.startsWith("-"),
    text: query.get("q") ?? "",
    changing: query.get("changing") === "yes",
  };
}

function columnIn(text: string): CompareColumn {
  const columns = ["paper", "title", "track", "side", "rank"] as const;
  const run = /^run(\d)$/.exec(text);
  return run ? `run${Number(run[1])}` : (columns.find((column) => column === text) ?? "rank");
}

/** The sort parameter after a click on a header: reversed, or the usual direction of the column. */
export function sortAfterClick(
  column: CompareColumn,
  now: Pick<ShownRows, "sort" | "descending">,
): string | null {
  const first = column === "rank" || column === "side";
  const descending = now.sort === column ? !now.descending : first;
  const text = `${descending ? "-" : ""}${column}`;
  return text === "-rank" ? null : text;
}
