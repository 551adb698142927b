// Places of papers by one statistic, before (given scores) and now, in the direction sorted.
//
// Papers that are tied, equal after rounding to four decimals, share a range of places: 50 papers
// tied behind 495 others have the places 496 to 545. A paper without scores has no place and stands
// behind all others. The change of place is the distance between the middles of both ranges, positive
// when the paper moved towards place 1.
import { compareLastNaN, numberAt, once, statisticsOf, type Mode, type Run } from "./run";
import { onGrid } from "./digits";
import type { Statistic } from "./glossary";

/** What papers are ranked by: a statistic, and whether high values come first. */
export interface RankBy {
  statistic: Statistic;
  desc: boolean;
}

/** The range of places of each paper, from 1; 0 where it has none. */
export interface Ranges {
  first: Int32Array;
  last: Int32Array;
}

export interface Range {
  first: number;
  last: number;
}

export interface Places {
  before: Ranges;
  now: Ranges;
  change: Float64Array; // NaN where there is no place
}

/** The places of all papers, or within each track. Cached. */
export const placesOf = (run: Run, { statistic, desc }: RankBy, perTrack = false): Places =>
  placesBy(run, statistic, desc, perTrack);

const placesBy = once(
  (run: Run, statistic: Statistic, desc: boolean, perTrack: boolean): Places => {
    const [before, now] = (["given", "dequantized"] as const).map((mode) =>
      rangesOf(run, mode, { statistic, desc }, perTrack),
    ) as [Ranges, Ranges];
    const change = Float64Array.from({ length: run.papers }, (_, paper) =>
      changeOf(before, now, paper),
    );
    return { before, now, change };
  },
);

function changeOf(before: Ranges, now: Ranges, paper: number): number {
  const middle = ({ first, last }: Range) => (first + last) / 2;
  const [old, next] = [rangeAt(before, paper), rangeAt(now, paper)];
  return old && next ? middle(old) - middle(next) : Number.NaN;
}

export function rangeAt({ first, last }: Ranges, paper: number): Range | null {
  const from = first[paper] ?? 0;
  return from ? { first: from, last: numberAt(last, paper) } : null;
}

/** "497" or, tied, "496–545"; like numbers of papers without a comma. */
export const rangeText = ({ first, last }: Range): string =>
  first === last ? `${first}` : `${first}–${last}`;

export const isTied = (range: Range | null): boolean => range !== null && range.last > range.first;

/** Whether a paper left the places that it shared by given scores: towards place 1 ("up") or away. */
export function leftRange({ before, now }: Places, paper: number): "up" | "down" | "same" {
  const [old, next] = [rangeAt(before, paper), rangeAt(now, paper)];
  if (!old || !next || (next.first <= old.last && next.last >= old.first)) return "same";
  return next.last < old.first ? "up" : "down";
}

/** Whether a paper was tied by given scores and is not any more. */
export function tieBroken({ before, now }: Places, paper: number): boolean {
  const next = rangeAt(now, paper);
  return isTied(rangeAt(before, paper)) && next !== null && !isTied(next);
}

/** All papers, the best first, as the table sorts them: ties on the grid may differ beyond it. */
export const orderOf = (run: Run, mode: Mode, { statistic, desc }: RankBy): Int32Array =>
  orderBy(run, mode, statistic, desc);

const orderBy = once((run: Run, mode: Mode, statistic: Statistic, desc: boolean) => {
  const values = statisticsOf(run, mode, statistic);
  const sign = desc ? -1 : 1;
  const order = Int32Array.from({ length: run.papers }, (_, paper) => paper);
  return order.sort(
    (a, b) => compareLastNaN(numberAt(values, a), numberAt(values, b), sign) || a - b,
  );
});

/** Number the tracks; 0 for all papers where tracks do not count. */
export const tracksOf = once((run: Run, perTrack: boolean): Int32Array => {
  const { track } = run.view.papers;
  const numbers = new Map<string | null, number>();
  return Int32Array.from({ length: run.papers }, (_, paper) => {
    const name = (perTrack && track?.[paper]) || null;
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name) ?? 0;
  });
});

function rangesOf(run: Run, mode: Mode, rankBy: RankBy, perTrack: boolean): Ranges {
  const keys = statisticsOf(run, mode, rankBy.statistic).map(onGrid);
  const groups: number[][] = [];
  const tracks = tracksOf(run, perTrack);
  for (const paper of orderOf(run, mode, rankBy))
    if (!Number.isNaN(keys[paper])) (groups[numberAt(tracks, paper)] ??= []).push(paper);
  const ranges = { first: new Int32Array(run.papers), last: new Int32Array(run.papers) };
  for (const group of groups) if (group) fillRanges(ranges, group, keys);
  return ranges;
}

function fillRanges({ first, last }: Ranges, papers: number[], keys: Float64Array): void {
  let start = 0;
  for (let end = 1; end <= papers.length; end++) {
    const [paper, leader] = [papers[end], papers[start] ?? -1];
    if (paper !== undefined && keys[paper] === keys[leader]) continue;
    for (const tied of papers.slice(start, end)) {
      first[tied] = start + 1;
      last[tied] = end;
    }
    start = end;
  }
}
