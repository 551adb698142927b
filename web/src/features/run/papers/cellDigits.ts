// What the cells of the table depend on, and how many decimals they have.
import { leastDigits, statisticDigits } from "../../../domain/digits";
import type { Accept } from "../../../domain/line";
import type { Ruling } from "../../../domain/places";
import type { Mode, Run } from "../../../domain/run";
import type { Statistic } from "../../../domain/statistics";

export interface Cells {
  mode: Mode;
  ruling: Ruling;
  accept: Accept | null;
  chances: Float64Array | null; // P(accept) of each paper
  papers: number[]; // shown, in order
  sorted: boolean; // by the statistic that gives the places
  stacked: boolean; // one line per review, each score beside its ranking
}

/** With more reviews than this, the rest is counted. */
export const MOST_SCORES = 6;
export const MOVED_DIGITS = 3;

/** The decimals of a statistic: enough to tell papers apart where they give the places. */
export function digitsIn(run: Run, statistic: Statistic, { mode, ruling, papers }: Cells): number {
  return statistic === ruling.statistic
    ? statisticDigits(run, mode, statistic, papers)
    : leastDigits(run.view, mode, statistic);
}
