// The decimals and widths of the table's columns: wide enough for every number and for the heading.
import { COLUMN_NAMES, isStatistic, type Column } from "../../../domain/columns";
import { LEAST_DIGITS, leastDigits, statisticDigits } from "../../../domain/digits";
import { count, fixed, scoreLabel } from "../../../domain/format";
import type { Accept } from "../../../domain/line";
import { placesOf, type Places, type Ranges, type RankBy } from "../../../domain/places";
import { numberAt, valuesOf, type Mode, type Run } from "../../../domain/run";
import { rangeOf } from "../../../domain/uncertainty";
import type { Statistic } from "../../../domain/glossary";

/** What the cells of the table depend on. */
export interface Cells {
  mode: Mode;
  rankBy: RankBy;
  accept: Accept | null;
  chances: Float64Array | null; // P(accept) of each paper
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
const TEXT_WIDTHS = { title: 12, track: 7, area_chair: 8.5, decision: 8, tags: 9, rankings: 16 };
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
  const places = placesOf(run, mode, rankBy);
  if (column === "paper") return `${longestId(run)}ch + ${run.marks ? 4 : 2.25}rem`;
  if (column === "place") return `${placeLength(places)}ch`;
  if (column === "scores") return scoresWidth(run, cells);
  if (column === "reviews") return `${count(mostReviews(run)).length}ch`;
  if (column === "change") return `${numberLength(places.change, 0) + 3}ch`; // arrow, half
  if (column === "moved") return `${numberLength(run.moved, MOVED_DIGITS) + 1}ch`;
  if (column === "place_range" || column === "mean_range") return `${rangeLengthOf(run, column)}ch`;
  if (column === "p_accept") return "5ch";
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

/** The length of the longest place with the one before: "497 ↑ (496–545 tied)". */
function placeLength({ before, now }: Places): number {
  let most = 9; // "no scores"
  for (let paper = 0; paper < before.first.length; paper++)
    most = Math.max(most, rangeLength(now, paper) + rangeLength(before, paper));
  return most + 7; // arrow, brackets, a word in smaller letters
}

function rangeLength({ first, last }: Ranges, paper: number): number {
  const digits = (place: number) => String(place).length;
  const [from, to] = [numberAt(first, paper), numberAt(last, paper)];
  return from === to ? digits(to) : digits(from) + 1 + digits(to);
}

const longestId = (run: Run): number =>
  run.view.papers.paper.reduce<number>((most, id) => Math.max(most, String(id).length), 1);

const mostReviews = (run: Run): number =>
  run.reviewsOf.reduce((most, reviews) => Math.max(most, reviews.length), 0);

function scoresWidth(run: Run, { mode, stacked }: Cells): string {
  const { levels } = run.view.scale;
  const labels = levels.map((level) => scoreLabel(run.view, level).length);
  const score =
    mode === "given"
      ? Math.max(1, ...labels)
      : numberLength(valuesOf(run.view, mode), LEAST_DIGITS[mode]);
  if (stacked) return `${score}ch`;
  const most = mostReviews(run);
  const shown = Math.min(most, MOST_SCORES);
  const more = most > shown ? count(most).length + 2 : 0; // "+54"
  return `(${shown} * (max(1.25rem, ${score}ch) + 0.55rem) + ${more}ch)`;
}
