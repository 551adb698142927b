// Papers in the order that the reader asked for.
import { keysOf, type Column } from "./columns";
import { passing, type Filter } from "./filter";
import type { Mode, Run } from "./run";

export interface SortBy {
  id: Column;
  desc: boolean;
}

export interface Asked {
  mode: Mode;
  sort: SortBy[];
  filter: Filter;
}

/** Sorted by the first, ties by the next, and so on; what is still tied, by the paper's number. */
export function ordered(run: Run, mode: Mode, sort: SortBy[], papers: number[]): number[] {
  const keys = sort.map(({ id }) => keysOf(run, mode, id));
  const signs = sort.map(({ desc }) => (desc ? -1 : 1));
  const ids = keysOf(run, mode, "paper");
  return papers.toSorted((a, b) => {
    for (let place = 0; place < keys.length; place++) {
      const column = keys[place] as Float64Array;
      const difference = compare(column[a] as number, column[b] as number, signs[place] as number);
      if (difference) return difference;
    }
    return (ids[a] as number) - (ids[b] as number);
  });
}

function compare(one: number, two: number, sign: number): number {
  if (one === two) return 0;
  if (Number.isNaN(one)) return Number.isNaN(two) ? 0 : 1;
  if (Number.isNaN(two)) return -1;
  return one < two ? -sign : sign;
}

const latest = new WeakMap<Run, { asked: string; order: number[] }>();

/** The papers that the table shows, in its order; kept until something else is asked for. */
export function shownPapers(run: Run, { mode, sort, filter }: Asked): number[] {
  const asked = JSON.stringify([mode, sort, filter]);
  const known = latest.get(run);
  if (known?.asked === asked) return known.order;
  const order = ordered(run, mode, sort, passing(run, mode, filter));
  latest.set(run, { asked, order });
  return order;
}
