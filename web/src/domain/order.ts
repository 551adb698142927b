// Papers in the order that the reader chose.
import { columnOf, isStatistic, keysOf } from "./columns";
import { chosenIn, passing, type Filter } from "./filter";
import type { Accept } from "./line";
import type { RankBy } from "./places";
import { compareLastNaN, numberAt, type Mode, type Run, type View } from "./run";

export interface SortBy {
  id: string; // of a column
  desc: boolean;
}

export interface Shown {
  mode: Mode;
  sort: SortBy[];
  filter: Filter;
  accept: Accept | null;
}

const DEFAULT_RANK_BY: RankBy = { statistic: "mean", desc: true };

/** The statistic that gives the places: the first that the table is sorted by, else the mean. */
export function rankByOf(sort: SortBy[]): RankBy {
  for (const { id, desc } of sort) if (isStatistic(id)) return { statistic: id, desc };
  return DEFAULT_RANK_BY;
}

/** A new sorting; the statistic that gives the places stays, at the end where it is not named. */
export function keepRankBy(next: SortBy[], before: SortBy[]): SortBy[] {
  const { statistic, desc } = rankByOf(before);
  const named = next.some(({ id }) => isStatistic(id));
  const first = statistic === DEFAULT_RANK_BY.statistic && desc === DEFAULT_RANK_BY.desc;
  return named || first ? next : [...next, { id: statistic, desc }];
}

/** The sorting after a click on a heading: by that column alone, or with `adding` by it too. A column
 * that already sorts last, or any with `adding`, is reversed in its place. */
export function sortedBy(sort: SortBy[], id: string, adding: boolean): SortBy[] {
  const place = sort.findIndex((each) => each.id === id);
  const desc = sort[place] ? !sort[place].desc : (columnOf(id).descends ?? false);
  if (place >= 0 && (adding || place === sort.length - 1)) return sort.with(place, { id, desc });
  return adding ? [...sort, { id, desc }] : [{ id, desc }];
}

/** Sorted by the first, ties by the next, and so on; what is still tied, by the paper's number. */
export function ordered(
  run: Run,
  mode: Mode,
  sort: SortBy[],
  papers: number[],
  accept: Accept | null = null,
): number[] {
  const keys = sort.map(
    ({ id, desc }) => [keysOf(run, columnOf(id), mode, accept), desc ? -1 : 1] as const,
  );
  const ids = keysOf(run, columnOf("paper"), mode);
  return papers.toSorted((a, b) => {
    for (const [column, sign] of keys) {
      const difference = compareLastNaN(numberAt(column, a), numberAt(column, b), sign);
      if (difference) return difference;
    }
    return numberAt(ids, a) - numberAt(ids, b);
  });
}

const latest = new WeakMap<View, Map<string, { key: string; papers: number[] }>>();

/** The last result of a computation about a run, computed again when its key changes. */
function latestOf(run: Run, name: string, key: string, make: () => number[]): number[] {
  const answers = latest.get(run.view) ?? new Map<string, { key: string; papers: number[] }>();
  latest.set(run.view, answers);
  const cached = answers.get(name);
  if (cached?.key === key) return cached.papers;
  const papers = make();
  answers.set(name, { key, papers });
  return papers;
}

/** The papers that the table shows, in its order. All papers are sorted once, whatever the filter. */
export function shownPapers(run: Run, shown: Shown): number[] {
  const { mode, sort, filter } = shown;
  // The line and the chairs' marks matter to an order or a filter by columns that follow them.
  const columns = sort.map(({ id }) => columnOf(id));
  const line = columns.some(({ follows }) => follows === "line") ? shown.accept : null;
  const version = run.marks?.version;
  const order = JSON.stringify([
    mode,
    sort,
    line,
    columns.some(({ follows }) => follows === "marks") && version,
  ]);
  const sorted = () => ordered(run, mode, sort, [...run.reviewsOf.keys()], line);
  const all = latestOf(run, "all", order, sorted);
  // The line matters to a filter by one of its parts only.
  const accept = filter.part ? shown.accept : null;
  const passed = () => passing(run, { mode, rankBy: rankByOf(sort), filter, accept }, all);
  const byMarks = chosenIn(filter).some(([{ follows }]) => follows === "marks");
  const marked = (byMarks || filter.text) && version;
  return latestOf(run, "shown", JSON.stringify([order, filter, accept, marked]), passed);
}
