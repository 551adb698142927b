// Ties: values that are equal after rounding to four decimals, as percentiles count them.
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
    const place = onGrid(value);
    sizes.set(place, (sizes.get(place) ?? 0) + 1);
  }
  return sizes;
}

/** How many values are tied with another, and how many differ; NaN counts for neither. */
export function tieCounts(values: Iterable<number>): { tied: number; distinct: number } {
  const sizes = [...sizesOf(values).values()];
  const tied = sizes.filter((size) => size > 1).reduce((sum, size) => sum + size, 0);
  return { tied, distinct: sizes.length };
}
