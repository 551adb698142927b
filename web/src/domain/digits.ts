// Ties, and how many decimals a column needs: enough to distinguish its values, and no more than ties have.
import { numberAt, statisticsOf, type Mode, type Run, type View } from "./run";
import { STATISTIC_WORDS, type Statistic } from "./glossary";

export const LEAST_DIGITS = 2;
/** Values that agree to this many decimals are tied. */
export const MOST_DIGITS = 4;

function decimalsOf(levels: number[]): number {
  return Math.max(0, ...levels.map((level) => String(level).split(".")[1]?.length ?? 0));
}

/** The fewest decimals of a statistic: a minimum of whole scores is whole, their mean is not. */
export function leastDigits(view: View, mode: Mode, statistic: Statistic): number {
  if (mode !== "given") return LEAST_DIGITS;
  const { extra_decimals, least_decimals } = STATISTIC_WORDS[statistic];
  return Math.max(least_decimals, decimalsOf(view.scale.levels) + extra_decimals);
}

/** The fewest decimals, from `least` on, at which all values that are not tied look different. */
export function distinguishingDigits(values: Iterable<number>, least: number): number {
  const numbers = [...values].filter((value) => !Number.isNaN(value));
  for (let digits = least; digits < MOST_DIGITS; digits++)
    if (distinguishedAt(numbers, digits)) return digits;
  return Math.max(least, MOST_DIGITS);
}

function distinguishedAt(values: number[], digits: number): boolean {
  const unit = 10 ** digits;
  const known = new Map<number, number>(); // what is shown → the value on the grid of ties
  for (const value of values) {
    const [shown, exact] = [Math.round(value * unit), onGrid(value)];
    if ((known.get(shown) ?? exact) !== exact) return false;
    known.set(shown, exact);
  }
  return true;
}

/** The decimals at which a statistic distinguishes these papers. */
export function statisticDigits(
  run: Run,
  mode: Mode,
  statistic: Statistic,
  papers: number[],
): number {
  const values = statisticsOf(run, mode, statistic);
  return distinguishingDigits(
    papers.map((paper) => numberAt(values, paper)),
    leastDigits(run.view, mode, statistic),
  );
}

const GRID = 10 ** 4;

/** A value in units of the fourth decimal; halves go to the even number, as in Python. */
export function onGrid(value: number): number {
  const scaled = value * GRID;
  const rounded = Math.round(scaled);
  return Math.abs(scaled % 1) === 0.5 && rounded % 2 ? rounded - 1 : rounded;
}

/** How many values there are of each kind of tie. */
function sizesOf(values: Iterable<number>): Map<number, number> {
  const sizes = new Map<number, number>();
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    const tie = onGrid(value);
    sizes.set(tie, (sizes.get(tie) ?? 0) + 1);
  }
  return sizes;
}

/** How many values are tied with another, and how many differ; NaN counts for neither. */
export function tieCounts(values: Iterable<number>): { tied: number; distinct: number } {
  const sizes = [...sizesOf(values).values()];
  const tied = sizes.filter((size) => size > 1).reduce((sum, size) => sum + size, 0);
  return { tied, distinct: sizes.length };
}
