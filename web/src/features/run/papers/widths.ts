// The decimals and widths of the table's columns: wide enough for every number and for the heading.
import { COLUMN_NAMES, isStatistic, type Column } from "../../../domain/columns";
import { LEAST_DIGITS, leastDigits, MOST_DIGITS, statisticDigits } from "../../../domain/digits";
import { count, scoreLabel } from "../../../domain/format";
import type { RankBy } from "../../../domain/places";
import type { Mode, Run } from "../../../domain/run";
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
  ...{ title: 20, track: 7, area_chair: 8.5, decision: 7.5, tags: 8, note: 12, rankings: 30 },
  recommendation: 10,
};
const PADDING = "1rem";
const TRACK_SHARE = "26vw - 13.5rem"; // of the window, for long names of tracks

/** The width of a column as CSS; "ch" is the width of a digit. */
export function widthOf(run: Run, column: Column, stacked: boolean): string {
  if (column === "track")
    return `clamp(${TEXT_WIDTHS.track}rem, ${TRACK_SHARE}, ${trackWidth(run)}ch)`;
  if (column in TEXT_WIDTHS) return `${TEXT_WIDTHS[column as keyof typeof TEXT_WIDTHS]}rem`;
  const heading = COLUMN_NAMES[column].length + 2; // and the sort mark
  return `calc(max(${heading}ch, ${contentWidth(run, column, stacked)}) + ${PADDING})`;
}

/** In digits: room for the longest name of a track in two lines. */
function trackWidth({ view }: Run): number {
  const names = [...new Set(view.papers.track ?? [])].map((name) => name ?? "");
  const words = names.flatMap((name) => name.split(/[\s-]/));
  const longest = (texts: string[]) => Math.max(0, ...texts.map((text) => text.length));
  return (longest(names) + longest(words)) / 2 + 3;
}

/** Room for the longest text that may be in a column. */
function contentWidth(run: Run, column: Column, stacked: boolean): string {
  const { levels } = run.view.scale;
  const place = String(run.papers).length;
  const range = 2 * place + 1; // "496–545"
  const whole = Math.max(...levels.map((level) => String(Math.trunc(level)).length)) + 1;
  if (column === "paper") return `${longestId(run)}ch + ${run.marks ? 4 : 2.25}rem`;
  if (column === "place") return `${range + 2}ch`; // and an arrow
  if (column === "was") return `${range + 3}ch`; // and a warning
  if (column === "place_range") return `${range}ch`;
  if (column === "mean_range") return `${2 * (whole + 3) + 4}ch`; // "5.21 to 6.03"
  if (column === "scores") {
    const labels = levels.map((level) => scoreLabel(run.view, level).length);
    return scoresWidth(run, Math.max(1, ...labels), stacked);
  }
  if (column === "new_scores") return scoresWidth(run, whole + LEAST_DIGITS, stacked);
  if (column === "p_accept" || column === "moved") return "7ch"; // "> 99%", "−0.123"
  return isStatistic(column) ? `${whole + MOST_DIGITS + 1}ch` : "5ch";
}

const longestId = (run: Run): number =>
  run.view.papers.paper.reduce<number>((most, id) => Math.max(most, String(id).length), 1);

function scoresWidth(run: Run, score: number, stacked: boolean): string {
  if (stacked) return `${score}ch`;
  const most = run.reviewsOf.reduce((size, reviews) => Math.max(size, reviews.length), 0);
  const shown = Math.min(most, MOST_SCORES);
  const more = most > shown ? count(most).length + 2 : 0; // "+54"
  return `(${shown} * (max(1.25rem, ${score}ch) + 0.55rem) + ${more}ch)`;
}
