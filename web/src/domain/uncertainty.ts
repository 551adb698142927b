// The uncertainty of places, where the run estimated it: the chance to be in for any line.
//
// The run stores the distribution of each paper's place over plausible orders drawn from a model, by a
// few points; in between it is linear, off by at most one percentage point. P(accept) is the share of
// these orders that put the paper above the line. They go by the model's effect of the paper, whatever
// statistic the table is sorted by.
import type { View } from "../api/schema";
import { fixed, ordinal, signed } from "./format";
import { numberAt, reviewAt, statisticOf, type Run } from "./run";
import { acceptText, chancesOf, type Accept } from "./line";

export type UncertaintyReport = NonNullable<View["estimates"]>;
export type Uncertainty = NonNullable<UncertaintyReport["uncertainty"]>;
type PlaceShares = Uncertainty["among_all"];

/** Papers with a chance between these are too close to call: either side of the line is plausible. */
const CLOSE = { from: 0.1, to: 0.9 } as const;

export const uncertaintyOf = ({ view }: Run): Uncertainty | null =>
  view.estimates?.uncertainty ?? null;

/** Where chances come from: places within tracks only where the line is drawn in each track. */
export function sharesOf(run: Run, perTrack: boolean): PlaceShares | null {
  const known = uncertaintyOf(run);
  return (perTrack ? known?.within_track : known?.among_all) ?? null;
}

/** The share of the plausible orders that put a paper among the first `places`; NaN if unknown. */
export function chanceOf(
  { start, place, thousandths }: PlaceShares,
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
  const [less, more] = [numberAt(thousandths, low), numberAt(thousandths, high)];
  return (less + ((more - less) * (places - from)) / (to - from)) / 1000;
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

export const isClose = (chance: number): boolean => chance >= CLOSE.from && chance <= CLOSE.to;

/** "63%", "> 99%", "< 1%": chances are known to a hundredth. */
export function chanceText(chance: number): string {
  if (Number.isNaN(chance)) return "–";
  if (chance > 0.99) return "> 99%";
  return chance < 0.01 ? "< 1%" : `${Math.round(100 * chance)}%`;
}

/** The uncertainty of a run in sentences for chairs. */
export const IS_AN_ESTIMATE =
  "This is an estimate: it assumes that each score is the paper’s quality plus the reviewer’s strictness plus chance. Reviewers whose answers look random count less in it than in the place.";

const share = (part: number): string => `${Math.round(100 * part)}%`;

/** "Most likely between 410th and 560th (90%). Chance of being among the best 500: 63%." */
export function placeRangeSentence(run: Run, paper: number, accept: Accept | null): string | null {
  const known = uncertaintyOf(run);
  const [low, high] = [known?.place_low[paper], known?.place_high[paper]];
  if (!known || low == null || high == null) return null;
  const where = low === high ? `${ordinal(low)}` : `between ${ordinal(low)} and ${ordinal(high)}`;
  const chance = accept ? numberAt(chancesOf(run, accept) ?? [], paper) : Number.NaN;
  const among = `the best ${accept && acceptText(accept)}${accept?.perTrack ? " of its track" : ""}`;
  const above = Number.isNaN(chance)
    ? ""
    : ` Chance of being among ${among}: ${chanceText(chance)}.`;
  return `Most likely ${where} (${share(known.interval)}).${above}`;
}

/** "Rounding and ranking +0.21, its reviewers’ strictness +0.48, …: 6.02 ± 0.31 instead of 5.33." */
export function calibrationSentence(run: Run, paper: number): string | null {
  const known = run.view.estimates?.calibration;
  const [calibrated, error] = [known?.calibrated[paper], known?.se[paper]];
  if (!known || calibrated == null || error == null) return null;
  const [given, now] = (["given", "dequantized"] as const).map((mode) =>
    statisticOf(run, mode, paper, "mean"),
  ) as [number, number];
  const strictness = -meanEffect(run, paper, known.effect);
  const towards = calibrated - now - strictness;
  const parts = [
    `rounding and ranking ${signed(now - given, 2)}`,
    `its reviewers’ strictness ${signed(strictness, 2)}`,
    `towards the mean of all papers ${signed(towards, 2)}`,
  ];
  return `Mean ${fixed(given, 2)} as given; ${parts.join(", ")}: ${fixed(calibrated, 2)} calibrated, ± ${fixed(error, 2)}.`;
}

function meanEffect(run: Run, paper: number, effect: (number | null)[]): number {
  const reviews = run.reviewsOf[paper] ?? [];
  const total = reviews.reduce(
    (sum, review) => sum + (effect[reviewAt(run.view, review).reviewer] ?? 0),
    0,
  );
  return total / reviews.length;
}

/** "Rounding and ranking +0.213; this reviewer’s strictness +0.48 (± 0.21)." */
export function strictnessSentence(run: Run, review: number): string | null {
  const known = run.view.estimates?.calibration;
  const { reviewer, move } = reviewAt(run.view, review);
  const [effect, error] = [known?.effect[reviewer], known?.effect_se[reviewer]];
  if (effect == null || error == null) return null;
  const strictness = `this reviewer’s strictness ${signed(-effect, 2)} (± ${fixed(error, 2)})`;
  return `Rounding and ranking ${signed(move, 3)}; ${strictness}.`;
}
