// The data of charts: histograms of scores.
import { numberAt, type View } from "./run";
import { onGrid } from "./ties";

export interface Bin {
  from: number;
  to: number;
  count: number;
}

/** Bins per smallest step between two levels. */
const BINS_PER_LEVEL = 10;
const MOST_BINS = 200;

function smallestStep(levels: number[]): number {
  const steps = levels.slice(1).map((level, place) => level - numberAt(levels, place));
  return steps.length ? Math.min(...steps) : 1;
}

/** One bar per level. */
export function givenBins({ scale, reviews }: View): Bin[] {
  const half = 0.4 * smallestStep(scale.levels);
  const counts = new Map<number, number>();
  for (const score of reviews.score) counts.set(score, (counts.get(score) ?? 0) + 1);
  return scale.levels.map((level) => ({
    from: level - half,
    to: level + half,
    count: counts.get(level) ?? 0,
  }));
}

/** Bins a tenth of a level wide, from the lowest score to the highest. */
export function dequantizedBins({ scale, reviews }: View): Bin[] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of reviews.dequantized) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [];
  const step = Math.max(smallestStep(scale.levels) / BINS_PER_LEVEL, (high - low) / MOST_BINS);
  // Each level lies in the middle of a bin: on an edge, rounding would decide.
  const first = (scale.levels[0] ?? 0) - step / 2;
  const place = (value: number) => Math.floor((value - first) / step);
  const start = place(low);
  const bins: Bin[] = Array.from({ length: place(high) - start + 1 }, (_, index) => ({
    from: first + (start + index) * step,
    to: first + (start + index + 1) * step,
    count: 0,
  }));
  for (const value of reviews.dequantized) {
    const bin = bins[place(value) - start];
    if (bin) bin.count += 1;
  }
  return bins;
}

export interface Inside {
  bins: Bin[]; // by distance from the given score, in shares of the rounding range's width
  reach: number; // how far the bins go to each side; what lies further is in the last one
  below: number;
  same: number;
  above: number;
  outside: number; // further than the rounding range reaches: where rankings are trusted
}

const BINS_INSIDE = 41; // odd: what did not move has a bin of its own
const REACHES = [0.02, 0.05, 0.1, 0.25, 0.5];
const MOST_BEYOND = 0.01; // of all reviews
/** A score further than this from its rounding range lies outside it, in smallest steps. */
const OUTSIDE = 1e-4;

/** Where scores lie in the rounding range of the given one: of one level, or of all together. */
export function insideRange({ scale, reviews }: View, level: number | null): Inside {
  const shares: number[] = [];
  let outside = 0;
  const least = OUTSIDE * smallestStep(scale.levels);
  reviews.dequantized.forEach((value, review) => {
    const score = numberAt(reviews.score, review);
    if (level !== null && score !== level) return;
    const place = scale.upper.findIndex((end) => score < end);
    const [lower, upper] = [numberAt(scale.lower, place), numberAt(scale.upper, place)];
    shares.push((value - score) / (upper - lower));
    if (Math.max(lower - value, value - upper) > least) outside += 1;
  });
  const beyond = (reach: number) => shares.filter((share) => Math.abs(share) > reach).length;
  const reach =
    REACHES.find((each) => beyond(each) <= MOST_BEYOND * shares.length) ?? numberAt(REACHES, 4);
  const step = (2 * reach) / BINS_INSIDE;
  const bins = Array.from({ length: BINS_INSIDE }, (_, index) => ({
    from: -reach + index * step,
    to: -reach + (index + 1) * step,
    count: 0,
  }));
  for (const share of shares) {
    const place = Math.floor((share + reach) / step);
    const bin = bins[Math.min(Math.max(place, 0), BINS_INSIDE - 1)];
    if (bin) bin.count += 1;
  }
  const same = shares.filter((share) => onGrid(share) === 0).length;
  const above = shares.filter((share) => onGrid(share) > 0).length;
  return { bins, reach, same, above, below: shares.length - same - above, outside };
}
