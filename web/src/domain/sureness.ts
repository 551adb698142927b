// How sure places are, where the run was asked: chances for any line, and the grey zone.
//
// The run keeps each paper's place over the plausible orders that a model draws, by a few points of
// its distribution; in between it is linear, off by at most one percentage point. The chance of a
// paper is the share of the orders that put it above the line: by the model's effect of the paper,
// whatever statistic the table is sorted by.
import type { View } from "../api/types";
import { fixed } from "./format";
import { numberAt, type Run } from "./run";

export type Sureness = NonNullable<View["sureness"]>;
export type Uncertainty = NonNullable<Sureness["uncertainty"]>;
type PlaceShares = Uncertainty["among_all"];

/** Papers with a chance between these are in the grey zone: nobody can tell their side of the line. */
export const GREY = { from: 0.1, to: 0.9 } as const;

export const uncertaintyOf = ({ view }: Run): Uncertainty | null =>
  view.sureness?.uncertainty ?? null;

/** Where chances come from: places within tracks only where the line is drawn in each track. */
export function sharesOf(run: Run, perTrack: boolean): PlaceShares | null {
  const known = uncertaintyOf(run);
  return (perTrack ? known?.within_track : known?.among_all) ?? null;
}

/** The share of the plausible orders that put a paper among the first `places`; NaN if unknown. */
export function chanceOf(
  { start, place, share }: PlaceShares,
  paper: number,
  places: number,
): number {
  let low = start[paper] ?? 0;
  let high = (start[paper + 1] ?? low) - 1;
  if (high < low) return Number.NaN;
  if (places < numberAt(place, low)) return 0;
  if (places >= numberAt(place, high)) return 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (numberAt(place, middle) <= places) low = middle;
    else high = middle;
  }
  const [from, to] = [numberAt(place, low), numberAt(place, high)];
  const [less, more] = [numberAt(share, low), numberAt(share, high)];
  return less + ((more - less) * (places - from)) / (to - from);
}

/** "410–560" of places, "5.21–6.03" of means; "–" if unknown. */
export function rangeOf(run: Run, column: "place_range" | "mean_range", paper: number): string {
  const known = uncertaintyOf(run);
  const [low, high] =
    column === "place_range"
      ? [known?.place_low[paper], known?.place_high[paper]]
      : [known?.low[paper], known?.high[paper]];
  if (low == null || high == null) return "–";
  if (column === "place_range") return low === high ? `${low}` : `${low}–${high}`;
  return `${fixed(low, MEAN_DIGITS)} to ${fixed(high, MEAN_DIGITS)}`;
}

const MEAN_DIGITS = 2;

export const isGrey = (chance: number): boolean => chance >= GREY.from && chance <= GREY.to;

/** "63%", "over 99%", "under 1%": a hundredth is all that is known. */
export function chanceText(chance: number): string {
  if (Number.isNaN(chance)) return "–";
  if (chance > 0.99) return "> 99%";
  return chance < 0.01 ? "< 1%" : `${Math.round(100 * chance)}%`;
}

/** How many places the interval of a paper in the middle spans. */
export function medianWidth({ place_low, place_high }: Uncertainty): number {
  const widths = place_low.flatMap((low, paper) => {
    const high = place_high[paper];
    return low == null || high == null ? [] : [high - low + 1];
  });
  widths.sort((a, b) => a - b);
  return widths[(widths.length - 1) >> 1] ?? 0;
}
