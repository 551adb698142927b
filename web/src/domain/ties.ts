// The share of all pairs of reviews that are tied, after rounding to four decimals.
const GRID = 10 ** 4;

export function tieShare(values: number[]): number {
  const pairs = (size: number) => (size * (size - 1)) / 2;
  if (values.length < 2) return 0;
  const sizes = new Map<number, number>();
  for (const value of values) {
    const rounded = Math.round(value * GRID);
    sizes.set(rounded, (sizes.get(rounded) ?? 0) + 1);
  }
  let tied = 0;
  for (const size of sizes.values()) tied += pairs(size);
  return tied / pairs(values.length);
}
