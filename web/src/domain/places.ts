// Places of papers by one statistic, before (given scores) and now, in the direction sorted.
//
// Papers that are tied, equal after rounding to four decimals, share a range of places: 50 papers
// tied behind 495 others have the places 496 to 545. A paper without scores has no place and stands
// behind all others. The change of place is the distance between the middles of both ranges, positive
// when the paper moved towards place 1.
import { numberAt, type Mode, type Run, type View, type Statistic } from "./run";
import { onGrid } from "./ties";

/** The statistic that gives the places, and its direction. */
export interface Ruling {
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

/** The mode that given scores are compared with. */
export const laterMode = (mode: Mode): Mode => (mode === "given" ? "dequantized" : mode);

const cache = new WeakMap<View, Map<string, unknown>>();

/** Keep what `make` returns for a run under a name. */
function remembered<T>(run: Run, name: string, make: () => T): T {
  const names = cache.get(run.view) ?? new Map<string, unknown>();
  cache.set(run.view, names);
  if (!names.has(name)) names.set(name, make());
  return names.get(name) as T;
}

/** The places of all papers, or within each track. The answer is kept. */
export function placesOf(run: Run, mode: Mode, ruling: Ruling, perTrack = false): Places {
  const before = rangesOf(run, "given", ruling, perTrack);
  const now = rangesOf(run, laterMode(mode), ruling, perTrack);
  const name = `${laterMode(mode)} ${ruling.statistic} ${ruling.desc} ${perTrack} change`;
  const change = remembered(run, name, () =>
    Float64Array.from({ length: run.papers }, (_, paper) => changeOf(before, now, paper)),
  );
  return { before, now, change };
}

function changeOf(before: Ranges, now: Ranges, paper: number): number {
  const middle = ({ first, last }: Range) => (first + last) / 2;
  const [old, next] = [rangeAt(before, paper), rangeAt(now, paper)];
  return old && next ? middle(old) - middle(next) : Number.NaN;
}

export function rangeAt({ first, last }: Ranges, paper: number): Range | null {
  const from = first[paper] ?? 0;
  return from ? { first: from, last: numberAt(last, paper) } : null;
}

export const isTied = (range: Range | null): boolean => range !== null && range.last > range.first;

/** Whether a paper was tied by given scores and is not any more. */
export function tieBroken({ before, now }: Places, paper: number): boolean {
  const next = rangeAt(now, paper);
  return isTied(rangeAt(before, paper)) && next !== null && !isTied(next);
}

/** All papers, the best first, as the table sorts them: ties on the grid may differ beyond it. */
export function orderOf(run: Run, mode: Mode, { statistic, desc }: Ruling): Int32Array {
  return remembered(run, `${mode} ${statistic} ${desc} order`, () => {
    const sign = desc ? -1 : 1;
    const keys = Float64Array.from(run.statistics[mode], (each) => sign * each[statistic]);
    const order = Int32Array.from({ length: run.papers }, (_, paper) => paper);
    return order.sort((a, b) => compare(numberAt(keys, a), numberAt(keys, b)) || a - b);
  });
}

function compare(one: number, two: number): number {
  if (Number.isNaN(one)) return Number.isNaN(two) ? 0 : 1;
  return Number.isNaN(two) ? -1 : one - two;
}

/** Values on the grid of ties, the best the least. */
function keysOf(run: Run, mode: Mode, { statistic, desc }: Ruling): Float64Array {
  return remembered(run, `${mode} ${statistic} ${desc} keys`, () =>
    Float64Array.from(
      run.statistics[mode],
      (each) => (desc ? -1 : 1) * onGrid(each[statistic]) + 0, // 0 and not −0
    ),
  );
}

/** Number the tracks; 0 for all papers where tracks do not count. */
export function tracksOf(run: Run, perTrack: boolean): Int32Array {
  return remembered(run, `${perTrack} tracks`, () => {
    const { track } = run.view.papers;
    const numbers = new Map<string | null, number>();
    return Int32Array.from({ length: run.papers }, (_, paper) => {
      const name = (perTrack && track?.[paper]) || null;
      if (!numbers.has(name)) numbers.set(name, numbers.size);
      return numbers.get(name) ?? 0;
    });
  });
}

function rangesOf(run: Run, mode: Mode, ruling: Ruling, perTrack: boolean): Ranges {
  const name = `${mode} ${ruling.statistic} ${ruling.desc} ${perTrack} ranges`;
  return remembered(run, name, () => {
    const keys = keysOf(run, mode, ruling);
    const groups: number[][] = [];
    const tracks = tracksOf(run, perTrack);
    for (const paper of orderOf(run, mode, ruling))
      if (!Number.isNaN(keys[paper])) (groups[numberAt(tracks, paper)] ??= []).push(paper);
    const ranges = { first: new Int32Array(run.papers), last: new Int32Array(run.papers) };
    for (const group of groups) if (group) fillRanges(ranges, group, keys);
    return ranges;
  });
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
