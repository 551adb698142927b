// The decimals and widths of the table's columns: wide enough for every number and for the heading.
import { COLUMN_NAMES, isStatistic, type Column } from "../../../domain/columns";
import { LEAST_DIGITS, leastDigits, statisticDigits } from "../../../domain/digits";
import { count, fixed, scoreLabel } from "../../../domain/format";
import { placesOf, type Ranges, type RankBy } from "../../../domain/places";
import { numberAt, valuesOf, type Mode, type Run } from "../../../domain/run";
import { rangeOf } from "../../../domain/uncertainty";
import type { Statistic } from "../../../domain/glossary";

/** What the cells of the table depend on. */
export interface Cells {
  mode: Mode;
  rankBy: RankBy;
  chances: Float64Array | null; // to be above the line
  reasons: ReadonlyMap<number, unknown>; // papers with a reason below their title
  /** Sets a decision in its cell; absent where the viewer decides nothing. */
  decide: ((paper: number, label: string | null) => void) | undefined;
  papers: number[]; // shown, in order
  sorted: boolean; // by the statistic that gives the places
  stacked: boolean; // one line per review, each score beside its ranking
}

/** With more reviews than this, the rest is counted. */
export const MOST_SCORES = 6;
export const MOVED_DIGITS = 3;

/** The decimals of a statistic: enough to distinguish papers where it gives the places. */
export function digitsIn(run: Run, statistic: Statistic, { mode, rankBy, papers }: Cells): number {
  return statistic === rankBy.statistic
    ? statisticDigits(run, mode, statistic, papers)
    : leastDigits(run.view, mode, statistic);
}

/** In rem, of columns with text; the title takes what is left. */
const TEXT_WIDTHS = {
  ...{ title: 16, track: 7, area_chair: 8.5, decision: 7.5, tags: 8, note: 12, rankings: 20 },
  recommendation: 10,
};
const PADDING = "1rem";
const BOLD = 1.12; // bold digits are so much wider

/** The width of a column as CSS; "ch" is the width of a digit. */
export function widthOf(run: Run, column: Column, cells: Cells): string {
  if (column in TEXT_WIDTHS) return `${TEXT_WIDTHS[column as keyof typeof TEXT_WIDTHS]}rem`;
  const heading = COLUMN_NAMES[column].length + 2; // and the sort mark
  return `calc(max(${heading}ch, ${contentWidth(run, column, cells)}) + ${PADDING})`;
}

function contentWidth(run: Run, column: Column, cells: Cells): string {
  const { mode, rankBy } = cells;
  const places = placesOf(run, rankBy);
  if (column === "paper") return `${longestId(run)}ch + ${run.marks ? 4 : 2.25}rem`;
  if (column === "place") return `${longestRange(places.now) + 2}ch`; // and an arrow
  if (column === "was") return `${longestRange(places.before) + 3}ch`; // and a warning
  if (column === "scores") return scoresWidth(run, "given", cells.stacked);
  if (column === "new_scores") return scoresWidth(run, "dequantized", cells.stacked);
  if (column === "percentile") return "5ch";
  if (column === "reviews") return `${count(mostReviews(run)).length}ch`;
  if (column === "change") return `${numberLength(places.change, 0) + 3}ch`; // arrow, half
  if (column === "moved") return `${numberLength(run.moved, MOVED_DIGITS) + 1}ch`;
  if (column === "place_range" || column === "mean_range") return `${rangeLengthOf(run, column)}ch`;
  if (column === "p_accept") return "7ch"; // "> 99%"
  if (!isStatistic(column)) return "0ch";
  const values = run.statistics[mode].map((each) => each[column]);
  const length = numberLength(values, digitsIn(run, column, cells));
  return `${column === rankBy.statistic ? BOLD * length : length}ch`;
}

/** The length of the longest interval: "410–560". */
function rangeLengthOf(run: Run, column: "place_range" | "mean_range"): number {
  let most = 1;
  for (let paper = 0; paper < run.papers; paper++)
    most = Math.max(most, rangeOf(run, column, paper).length);
  return most;
}

/** The length of the longest number. */
function numberLength(values: ArrayLike<number>, digits: number): number {
  let [low, high] = [0, 0];
  for (let index = 0; index < values.length; index++) {
    const value = numberAt(values, index);
    low = Math.min(low, value || 0);
    high = Math.max(high, value || 0);
  }
  return Math.max(fixed(low, digits).length, fixed(high, digits).length);
}

/** The length of the longest range of places: "496–545". */
function longestRange({ first, last }: Ranges): number {
  const digits = (place: number) => String(place).length;
  return first.reduce((most, from, paper) => {
    const to = numberAt(last, paper);
    return Math.max(most, digits(to) + (from === to ? 0 : 1 + digits(from)));
  }, 1);
}

const longestId = (run: Run): number =>
  run.view.papers.paper.reduce<number>((most, id) => Math.max(most, String(id).length), 1);

const mostReviews = (run: Run): number =>
  run.reviewsOf.reduce((most, reviews) => Math.max(most, reviews.length), 0);

function scoresWidth(run: Run, mode: Mode, stacked: boolean): string {
  const { levels } = run.view.scale;
  const labels = levels.map((level) => scoreLabel(run.view, level).length);
  const score =
    mode === "given"
      ? Math.max(1, ...labels)
      : numberLength(valuesOf(run.view, mode), LEAST_DIGITS);
  if (stacked) return `${score}ch`;
  const most = mostReviews(run);
  const shown = Math.min(most, MOST_SCORES);
  const more = most > shown ? count(most).length + 2 : 0; // "+54"
  return `(${shown} * (max(1.25rem, ${score}ch) + 0.55rem) + ${more}ch)`;
}
