// Papers in the order that the reader chose.
import { keysOf, type Column } from "./columns";
import { passing, type Filter } from "./filter";
import { numberAt, type Mode, type Run } from "./run";

export interface SortBy {
  id: Column;
  desc: boolean;
}

export interface Shown {
  mode: Mode;
  sort: SortBy[];
  filter: Filter;
}

/** Sorted by the first, ties by the next, and so on; what is still tied, by the paper's number. */
export function ordered(run: Run, mode: Mode, sort: SortBy[], papers: number[]): number[] {
  const keys = sort.map(({ id, desc }) => [keysOf(run, mode, id), desc ? -1 : 1] as const);
  const ids = keysOf(run, mode, "paper");
  return papers.toSorted((a, b) => {
    for (const [column, sign] of keys) {
      const difference = compare(numberAt(column, a), numberAt(column, b), sign);
      if (difference) return difference;
    }
    return numberAt(ids, a) - numberAt(ids, b);
  });
}

function compare(one: number, two: number, sign: number): number {
  if (one === two) return 0;
  if (Number.isNaN(one)) return Number.isNaN(two) ? 0 : 1;
  if (Number.isNaN(two)) return -1;
  return one < two ? -sign : sign;
}

const latest = new WeakMap<Run, { key: string; order: number[] }>();

/** The papers that the table shows, in its order. The last answer is kept. */
export function shownPapers(run: Run, { mode, sort, filter }: Shown): number[] {
  const key = JSON.stringify([mode, sort, filter]);
  const cached = latest.get(run);
  if (cached?.key === key) return cached.order;
  const order = ordered(run, mode, sort, passing(run, mode, filter));
  latest.set(run, { key, order });
  return order;
}
