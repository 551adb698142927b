// How many decimals a column needs: as many as tell its values apart, and no more than ties have.
import { STATISTIC_WORDS } from "./glossary";
import { statisticOf, type Mode, type Run, type View, type Statistic } from "./run";
import { onGrid } from "./ties";

export const LEAST_DIGITS: Record<Mode, number> = { given: 2, dequantized: 2, percentile: 1 };
/** Values that agree to so many decimals are tied. */
const MOST = 4;

function decimalsOf(levels: number[]): number {
  return Math.max(0, ...levels.map((level) => String(level).split(".")[1]?.length ?? 0));
}

/** The fewest decimals of a statistic: a minimum of whole scores is whole, their mean is not. */
export function leastDigits(view: View, mode: Mode, statistic: Statistic): number {
  if (mode !== "given") return LEAST_DIGITS[mode];
  const { extra_decimals, least_decimals } = STATISTIC_WORDS[statistic];
  return Math.max(least_decimals, decimalsOf(view.scale.levels) + extra_decimals);
}

/** The fewest decimals, from `least` on, at which all values that are not tied look different. */
export function tellingApart(values: Iterable<number>, least: number): number {
  const kept = [...values].filter((value) => !Number.isNaN(value));
  for (let digits = least; digits < MOST; digits++) if (apartAt(kept, digits)) return digits;
  return Math.max(least, MOST);
}

function apartAt(values: number[], digits: number): boolean {
  const unit = 10 ** digits;
  const places = new Map<number, number>(); // what is shown → the value on the grid of ties
  for (const value of values) {
    const [shown, place] = [Math.round(value * unit), onGrid(value)];
    if ((places.get(shown) ?? place) !== place) return false;
    places.set(shown, place);
  }
  return true;
}

const cache = new WeakMap<number[], Map<string, number>>();

/** The decimals at which a statistic tells these papers apart. The answer is kept with the list. */
export function statisticDigits(
  run: Run,
  mode: Mode,
  statistic: Statistic,
  papers: number[],
): number {
  const answers = cache.get(papers) ?? new Map<string, number>();
  cache.set(papers, answers);
  const name = `${mode} ${statistic}`;
  const least = leastDigits(run.view, mode, statistic);
  const values = () => papers.map((paper) => statisticOf(run, mode, paper, statistic));
  const answer = answers.get(name) ?? tellingApart(values(), least);
  answers.set(name, answer);
  return answer;
}

/** How many of a value's decimals tell it from the values next to it; the others carry no order. */
export function orderDigits(value: number, beside: number[], digits: number): number {
  for (let needed = 0; needed < digits; needed++) {
    const shown = value.toFixed(needed);
    if (beside.every((other) => other.toFixed(needed) !== shown)) return needed;
  }
  return digits;
}
