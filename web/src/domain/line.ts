// The line: how many papers are accepted, which of them come in or drop out, and which are tied.
//
// The papers stand in the order of the statistic sorted by, all together or within each track. The
// line lies below as many places as are accepted. Papers without scores come last and are never
// above the line; places that only they could fill are counted as unfilled. Plain means, the given
// scores, are compared with the new scores:
//   stay   above the line either way
//   in     above the line now, and not before: below it, or tied across it
//   out    above the line before, and below it now
//   tied   tied across the line now, for the places that are left
// so that stay + in + the places left for the tied papers are all places that are filled (sumOf).
// Where the run knows how sure places are (uncertainty.ts):
//   close  too close to call: a chance of 10% to 90% to be in
// A share in per cent counts all papers, and the number of places is rounded.
import { count, counted } from "./format";
import {
  orderOf,
  placesOf,
  rangeAt,
  tracksOf,
  type Range,
  type Ranges,
  type RankBy,
} from "./places";
import { numberAt, type Run } from "./run";
import { chanceOf, isClose, sharesOf } from "./uncertainty";

/** What the reader accepts: a number of papers or a share in per cent, of all or of each track. */
export interface Accept {
  amount: number;
  percent: boolean;
  perTrack: boolean;
}

/** "500" or "25%". */
export const acceptText = ({ amount, percent }: Accept): string => `${amount}${percent ? "%" : ""}`;

/** A line that the API sent. */
export const acceptOf = (line: ReturnType<typeof lineBody> | null): Accept | null =>
  line && { amount: line.amount, percent: line.percent, perTrack: line.per_track };

/** A line as the API writes it. */
export const lineBody = ({ amount, percent, perTrack }: Accept) => ({
  amount,
  percent,
  per_track: perTrack,
});

export const PARTS = ["stay", "in", "out", "tied", "close"] as const;
export type Part = (typeof PARTS)[number];

export interface Line {
  accept: Accept;
  parts: Record<Part, Uint8Array>; // 1 for each paper of the part
  counts: Record<Part, number>;
  places: number; // above the line, over all tracks
  before: { tied: number; open: number; in: number }; // tied by given scores, for so many places; of these in now
  open: number; // the places that the tied papers compete for
  unfilled: number;
  above: Uint8Array; // 1 for papers above the line
  chances: Float64Array | null; // the chance of each paper to be in
}

type Side = "above" | "across" | "below";

/** The side of the line on which each paper is, by given scores and now. */
export function sidesOf(
  run: Run,
  rankBy: RankBy,
  accept: Accept,
): Record<"before" | "now", Side[]> {
  const places = placesOf(run, rankBy, accept.perTrack);
  const tracks = tracksOf(run, accept.perTrack);
  const filled = filledIn(run, tracks, acceptedIn(tracks, accept));
  const sides = (ranges: Ranges) =>
    Array.from(tracks, (track, paper) => sideOf(rangeAt(ranges, paper), filled[track] ?? 0));
  return { before: sides(places.before), now: sides(places.now) };
}

export function lineOf(run: Run, rankBy: RankBy, accept: Accept): Line {
  const { before, now } = sidesOf(run, rankBy, accept);
  const tracks = tracksOf(run, accept.perTrack);
  const wanted = acceptedIn(tracks, accept);
  const filled = filledIn(run, tracks, wanted);
  const line = emptyLine(run.papers, accept);
  line.chances = chancesOf(run, accept);
  line.places = sum(wanted);
  line.unfilled = line.places - sum(filled);
  const put = (part: Part, paper: number) => {
    line.parts[part][paper] = 1;
    line.counts[part] += 1;
  };
  for (let paper = 0; paper < run.papers; paper++) {
    const part = partOf(before[paper] ?? "below", now[paper] ?? "below");
    if (part) put(part, paper);
    if (line.chances && isClose(numberAt(line.chances, paper))) put("close", paper);
  }
  line.open = sum(filled) - line.counts.stay - line.counts.in;
  const surely = before.filter((side) => side === "above").length;
  const across = [...before.keys()].filter((paper) => before[paper] === "across");
  const isIn = (paper: number) => line.parts.in[paper] === 1;
  line.before = {
    tied: across.length,
    open: sum(filled) - surely,
    in: across.filter(isIn).length,
  };
  fillAbove(line.above, orderOf(run, "dequantized", rankBy), tracks, filled);
  return line;
}

/** The line as a sum in words, in which every paper counts once: those in are the others before `out`.
 * "480 in: 442 as before, 34 of the 51 that were tied for the last 30 places, 4 from below; 8 drop out" */
export function sumOf({ counts, before, open, places, unfilled }: Line) {
  const below = counts.in - before.in;
  const last = before.open === places - unfilled ? "the " : "the last ";
  const room = before.open === 1 ? `${last}place` : `${last}${counted(before.open, "place")}`;
  const still =
    counts.tied === 1 ? "1 that is still tied" : `${count(counts.tied)} that are still tied`;
  return {
    in: `${count(places - unfilled)} in`,
    stay: counts.stay && `${count(counts.stay)} as before`,
    tie: before.in && `${count(before.in)} of the ${count(before.tied)} that were tied for ${room}`,
    below: below && `${count(below)} from below`,
    tied: open && `${count(open)} of the ${still}`,
    out: counts.out > 1 ? `${count(counts.out)} drop out` : `${counts.out ? 1 : "none"} drops out`,
  };
}

/** "480 in: 442 as before, 4 from below; 4 drop out" */
export function sumText(line: Line): string {
  const { in: all, out, ...parts } = sumOf(line);
  const from = Object.values(parts).filter(Boolean).join(", ");
  return `${all}${from && `: ${from}`}; ${out}`;
}

/** The places above the line that a paper competes for: all, or those of its track. */
export function roomOf(run: Run, accept: Accept): (paper: number) => number {
  const tracks = tracksOf(run, accept.perTrack);
  const filled = filledIn(run, tracks, acceptedIn(tracks, accept));
  return (paper) => filled[numberAt(tracks, paper)] ?? 0;
}

/** The chance of each paper to be above the line; null if it is not known. */
export function chancesOf(run: Run, accept: Accept): Float64Array | null {
  const shares = sharesOf(run, accept.perTrack);
  if (!shares) return null;
  const tracks = tracksOf(run, accept.perTrack);
  const filled = filledIn(run, tracks, acceptedIn(tracks, accept));
  const chances = Float64Array.from({ length: run.papers }, (_, paper) =>
    chanceOf(shares, paper, filled[numberAt(tracks, paper)] ?? 0),
  );
  return addedUp(chances, tracks, filled);
}

const INTERPOLATION = 0.01; // how far a chance may be off

/** Interpolated chances add up to the places only nearly (499.94 of 500): what is missing in a track is
 * shared out among its papers, most of it where the chance is open. What is too close to call stays so. */
function addedUp(chances: Float64Array, tracks: Int32Array, filled: number[]): Float64Array {
  const open = (chance: number) => chance * (1 - chance) || 0; // 0 for NaN
  const [missing, weight] = [[...filled], filled.map(() => 0)];
  chances.forEach((chance, paper) => {
    const track = numberAt(tracks, paper);
    missing[track] = (missing[track] ?? 0) - (chance || 0);
    weight[track] = (weight[track] ?? 0) + open(chance);
  });
  return chances.map((chance, paper) => {
    const track = numberAt(tracks, paper);
    const share = (missing[track] ?? 0) / (weight[track] || Number.POSITIVE_INFINITY);
    const by = share * open(chance);
    const kept = Math.abs(by) > INTERPOLATION || isClose(chance + by) !== isClose(chance);
    return kept ? chance : chance + by;
  });
}

/** One track at a line: its papers, the room for them, and how many are in, tied, too close to call. */
export interface TrackRow {
  track: string | null;
  papers: number;
  room: number | null; // null where the line is one for all tracks
  in: number;
  tied: number;
  close: number;
}

/** The tracks in alphabetical order. */
export function trackRows(run: Run, { accept, above, parts }: Line): TrackRow[] {
  const rooms = acceptedIn(tracksOf(run, true), accept);
  const found: TrackRow[] = [];
  tracksOf(run, true).forEach((track, paper) => {
    const row = (found[track] ??= {
      track: run.view.papers.track?.[paper] || null,
      papers: 0,
      room: accept.perTrack ? (rooms[track] ?? 0) : null,
      in: 0,
      tied: 0,
      close: 0,
    });
    row.papers += 1;
    row.in += above[paper] ?? 0;
    row.tied += parts.tied[paper] ?? 0;
    row.close += parts.close[paper] ?? 0;
  });
  return found.sort((a, b) => (a.track ?? "").localeCompare(b.track ?? ""));
}

/** The first and the last place, now, of the papers that are too close to call; null without any. */
export function reachOf(run: Run, rankBy: RankBy, { parts, accept }: Line): Range | null {
  const { now } = placesOf(run, rankBy, accept.perTrack);
  const reach = { first: Number.POSITIVE_INFINITY, last: 0 };
  parts.close.forEach((inside, paper) => {
    if (!inside || !now.first[paper]) return;
    reach.first = Math.min(reach.first, numberAt(now.first, paper));
    reach.last = Math.max(reach.last, numberAt(now.last, paper));
  });
  return reach.last ? reach : null;
}

/** Places that papers with scores fill: others never stand above the line. */
function filledIn(run: Run, tracks: Int32Array, wanted: number[]): number[] {
  const scored = countsOf(tracks, (paper) => Boolean(run.reviewsOf[paper]?.length));
  return wanted.map((size, track) => Math.min(size, scored[track] ?? 0));
}

function emptyLine(papers: number, accept: Accept): Line {
  const each = <T>(make: () => T) =>
    Object.fromEntries(PARTS.map((part) => [part, make()])) as Record<Part, T>;
  return {
    accept,
    parts: each(() => new Uint8Array(papers)),
    counts: each(() => 0),
    places: 0,
    before: { tied: 0, open: 0, in: 0 },
    open: 0,
    unfilled: 0,
    above: new Uint8Array(papers),
    chances: null,
  };
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** How many papers of each track pass a test. */
function countsOf(tracks: Int32Array, test: (paper: number) => boolean): number[] {
  const counts: number[] = [];
  tracks.forEach((track, paper) => {
    counts[track] = (counts[track] ?? 0) + (test(paper) ? 1 : 0);
  });
  return counts;
}

/** The places above the line in each track. */
function acceptedIn(tracks: Int32Array, { amount, percent }: Accept): number[] {
  return countsOf(tracks, () => true).map((size) =>
    Math.min(size, Math.max(0, Math.round(percent ? (size * amount) / 100 : amount))),
  );
}

/** The side of a line after so many places. */
export function sideOf(range: Range | null, room: number): Side {
  if (!range || range.first > room) return "below";
  return range.last <= room ? "above" : "across";
}

function partOf(before: Side, now: Side): Part | null {
  if (now === "across") return "tied";
  if (now === "above") return before === "above" ? "stay" : "in";
  return before === "above" ? "out" : null;
}

function fillAbove(
  above: Uint8Array,
  order: Int32Array,
  tracks: Int32Array,
  filled: number[],
): void {
  const left = [...filled];
  for (const paper of order) {
    const track = numberAt(tracks, paper);
    if ((left[track] ?? 0) <= 0) continue;
    left[track] = (left[track] ?? 0) - 1;
    above[paper] = 1;
  }
}
