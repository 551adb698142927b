// How many decimals a column needs: enough to distinguish its values, and no more than ties have.
import { cached, statisticOf, type Mode, type Run, type View } from "./run";
import { onGrid } from "./ties";
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
  const places = new Map<number, number>(); // what is shown → the value on the grid of ties
  for (const value of values) {
    const [shown, place] = [Math.round(value * unit), onGrid(value)];
    if ((places.get(shown) ?? place) !== place) return false;
    places.set(shown, place);
  }
  return true;
}

/** The decimals at which a statistic distinguishes these papers. Cached for the list. */
export function statisticDigits(
  run: Run,
  mode: Mode,
  statistic: Statistic,
  papers: number[],
): number {
  const least = leastDigits(run.view, mode, statistic);
  return cached(papers, `${mode} ${statistic}`, () =>
    distinguishingDigits(
      papers.map((paper) => statisticOf(run, mode, paper, statistic)),
      least,
    ),
  );
}
