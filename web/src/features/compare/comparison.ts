// Papers side by side: one row per paper of any of the runs.
import { lambdaText } from "../../domain/format";
import { POLICIES, titleIn, UNRANKED } from "../../domain/glossary";
import { numberAt, statisticOf, type Mode, type Run, type Statistic } from "../../domain/run";

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

export function compared(runs: Run[], mode: Mode, statistic: Statistic): Row[] {
  const ids = [...new Set(runs.flatMap((run) => [...run.place.keys()]))];
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
  const places = runs.map((run) => run.place.get(id));
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
  return (a, b, sign) => {
    const [one, two] = [key(a), key(b)];
    // Missing values come last in either direction.
    if (Number.isNaN(one) || Number.isNaN(two))
      return Number(Number.isNaN(one)) - Number(Number.isNaN(two));
    return sign * (one - two);
  };
}

/** The settings that differ between the runs. */
export function differingSettings(runs: Run[]): { name: string; values: string[] }[] {
  const lines: [string, (run: Run) => string][] = [
    ["λ used", ({ view }) => lambdaText(view.run.lam)],
    ["λ asked for", ({ view }) => view.run.settings.lam],
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
