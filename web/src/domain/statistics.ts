// Statistics of a paper. Sums run in the order of the reviews, as in papers.csv: equal to the last bit.
export const STATISTICS = ["min", "max", "mean", "median", "spread"] as const;
export type Statistic = (typeof STATISTICS)[number];
export type Statistics = Record<Statistic, number>;

export function statistics(values: number[]): Statistics {
  const ascending = values.toSorted((a, b) => a - b);
  const count = ascending.length;
  const min = ascending[0] ?? Number.NaN;
  const max = ascending[count - 1] ?? Number.NaN;
  let sum = 0;
  for (const value of values) sum += value;
  // Rounding may put the mean of equal values outside their range.
  const mean = Math.min(Math.max(sum / count, min), max);
  const low = ascending[(count - 1) >> 1] ?? Number.NaN;
  const high = ascending[count >> 1] ?? Number.NaN;
  return { min, max, mean, median: (low + high) / 2, spread: max - min };
}
