// The line: how many papers are accepted, and for which of them rounding left that open.
//
// The papers stand in the order of the statistic sorted by, all together or within each track. The
// line lies below as many places as are accepted, N. Papers without scores come last and are never
// above the line; places that only they could fill are counted as unfilled. By given scores:
//   clear      the whole range of ties is above the line
//   tied       the range of ties straddles the line, for the N − clear places that are left
// By dequantized scores (percentiles, where the table shows these):
//   settled    tied by given scores, and now above the line with no tie across it
//   undecided  still tied across the line
//   in         below the line by given scores, and now above it
//   out        clear by given scores, and now below the line
// Where the run knows how sure places are (uncertainty.ts):
//   grey       above the line in 10% to 90% of the plausible orders
// A share in per cent counts all papers, and the number of places is rounded.
import { orderOf, placesOf, tracksOf, type Range, type Ranges, type RankBy } from "./places";
import { numberAt, type Mode, type Run } from "./run";
import { chanceOf, isGrey, sharesOf } from "./uncertainty";

/** What the reader accepts: a number of papers or a share in per cent, of all or of each track. */
export interface Accept {
  amount: number;
  percent: boolean;
  perTrack: boolean;
}

/** A line as the API writes it. */
export const lineBody = ({ amount, percent, perTrack }: Accept) => ({
  amount,
  percent,
  per_track: perTrack,
});

export const PARTS = ["clear", "tied", "settled", "undecided", "in", "out", "grey"] as const;
export type Part = (typeof PARTS)[number];

export interface Line {
  parts: Record<Part, Uint8Array>; // 1 for each paper of the part
  counts: Record<Part, number>;
  places: number; // above the line, over all tracks
  open: number; // the places that the tied papers compete for
  unfilled: number;
  above: Uint8Array; // 1 for papers above the line in the order of the mode
  chances: Float64Array | null; // the share of the plausible orders that put each paper above the line
}

type Side = "above" | "across" | "below";

export function lineOf(run: Run, mode: Mode, rankBy: RankBy, accept: Accept): Line {
  const { before, now } = placesOf(run, mode, rankBy, accept.perTrack);
  const tracks = tracksOf(run, accept.perTrack);
  const wanted = acceptedIn(tracks, accept);
  const filled = filledIn(run, tracks, wanted);
  const line = emptyLine(run.papers);
  line.chances = chancesOf(run, accept);
  line.places = sum(wanted);
  line.unfilled = line.places - sum(filled);
  for (let paper = 0; paper < run.papers; paper++) {
    const places = filled[numberAt(tracks, paper)] ?? 0;
    const part = partsOf(sideOf(before, paper, places), sideOf(now, paper, places));
    if (line.chances && isGrey(numberAt(line.chances, paper))) part.push("grey");
    for (const name of part) {
      line.parts[name][paper] = 1;
      line.counts[name] += 1;
    }
  }
  line.open = line.counts.tied ? sum(filled) - line.counts.clear : 0;
  fillAbove(line.above, orderOf(run, mode, rankBy), tracks, filled);
  return line;
}

/** The share of the plausible orders that put each paper above the line; null if it is not known. */
export function chancesOf(run: Run, accept: Accept): Float64Array | null {
  const shares = sharesOf(run, accept.perTrack);
  if (!shares) return null;
  const tracks = tracksOf(run, accept.perTrack);
  const filled = filledIn(run, tracks, acceptedIn(tracks, accept));
  return Float64Array.from({ length: run.papers }, (_, paper) =>
    chanceOf(shares, paper, filled[numberAt(tracks, paper)] ?? 0),
  );
}

/** Places that papers with scores fill: others never stand above the line. */
function filledIn(run: Run, tracks: Int32Array, wanted: number[]): number[] {
  const scored = countsOf(tracks, (paper) => Boolean(run.reviewsOf[paper]?.length));
  return wanted.map((size, track) => Math.min(size, scored[track] ?? 0));
}

function emptyLine(papers: number): Line {
  const each = <T>(make: () => T) =>
    Object.fromEntries(PARTS.map((part) => [part, make()])) as Record<Part, T>;
  return {
    parts: each(() => new Uint8Array(papers)),
    counts: each(() => 0),
    places: 0,
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

function sideOfRange({ first, last }: Range, places: number): Side {
  if (last <= places) return "above";
  return first <= places ? "across" : "below";
}

function sideOf({ first, last }: Ranges, paper: number, places: number): Side {
  const range = { first: numberAt(first, paper), last: numberAt(last, paper) };
  return range.first ? sideOfRange(range, places) : "below";
}

function partsOf(before: Side, now: Side): Part[] {
  const parts: Part[] = [];
  if (before === "above") parts.push("clear");
  if (before === "across") parts.push("tied");
  if (before === "across" && now === "above") parts.push("settled");
  if (now === "across") parts.push("undecided");
  if (before === "below" && now === "above") parts.push("in");
  if (before === "above" && now === "below") parts.push("out");
  return parts;
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
