// The columns of the table of papers. One entry is all of a column: its heading, order, cell, filter, width,
// and its place in the menu View and in exports. Cells that are more than a text are in papers/cells.tsx.
import { decisionOf, labelsOf, tagsInUse, UNDECIDED } from "./decisions";
import { LEAST_DIGITS, leastDigits, MOST_DIGITS } from "./digits";
import type { CsvColumn } from "./exportTable";
import { count, fixed, scoreLabel } from "./format";
import { optionsIn, STATISTIC_WORDS, STATISTICS, type Statistic } from "./glossary";
import { chancesOf, type Accept } from "./line";
import { placesOf, type RankBy } from "./places";
import { rankingText } from "./rankings";
import {
  movesOf,
  numberAt,
  once,
  percentilesOf,
  statisticsOf,
  valuesOf,
  type Mode,
  type Run,
} from "./run";
import { rangeOf, sharesOf, uncertaintyOf } from "./uncertainty";

/** Which numbers the table shows, and what they are ranked by. */
export interface Numbers {
  mode: Mode;
  rankBy: RankBy;
  accept: Accept | null; // the line
}

export interface PaperColumn {
  id: string; // in addresses, exports and style sheets
  title: string;
  text?: string; // explains the heading
  isNumber?: boolean; // aligned as numbers are
  isIn?(run: Run, accept: Accept | null): boolean; // absent: in every table
  isShown?(run: Run): boolean; // before the reader chooses; absent: hidden
  keys?(run: Run, mode: Mode, accept: Accept | null): Float64Array; // to sort by; NaN comes last
  descends?: boolean; // whether the first click puts the largest on top
  follows?: "marks" | "line"; // what changes the keys, beside the reader's choice of numbers
  textAt?: TextAt; // what the cell holds, in a column of texts
  cell?(run: Run, paper: number, numbers: Numbers & { digits: number }): string; // in others
  csv(run: Run, numbers: Numbers): CsvColumn[];
  width: string | ((run: Run, stacked: boolean) => string); // of the longest cell, as CSS
  filter?: ColumnFilter;
}

interface ColumnFilter {
  name: string; // in addresses
  title?: string; // absent: that of the column
  options(run: Run): (readonly [value: string, text: string])[]; // none: there is no such filter
  passes(run: Run, paper: number, value: string): boolean;
}

type TextAt = (run: Run, paper: number) => string | null;
type Parts<Needed extends keyof PaperColumn> = Partial<PaperColumn> &
  Required<Pick<PaperColumn, Needed>>;

/** A column of texts, null for none. */
export const textColumn = (parts: Parts<"id" | "title" | "width" | "textAt">): PaperColumn => ({
  keys: (run) => rankedTexts(textsOf(run, parts.textAt)),
  csv: (run) => [{ name: parts.id, cell: (paper) => parts.textAt(run, paper) }],
  ...parts,
});

/** A column of numbers, whole ones without `digits`, NaN for none; `name` is that in exports. */
export function numberColumn({
  of,
  digits,
  name,
  ...parts
}: Parts<"id" | "title"> & {
  of(run: Run, mode: Mode): Float64Array;
  digits: number;
  name?: (mode: Mode) => string;
}): PaperColumn {
  const column: PaperColumn = {
    isNumber: true,
    descends: true,
    keys: of,
    cell: (run, paper, { mode }) => fixed(numberAt(keysOf(run, column, mode), paper), digits),
    csv: (run, { mode }) => {
      const values = keysOf(run, column, mode);
      const cell = (paper: number) => finite(values[paper]);
      return [{ name: name?.(mode) ?? column.id, real: digits > 0, cell }];
    },
    width: "5ch",
    ...parts,
  };
  return column;
}

/** A column of intervals, sorted by the estimate inside them. */
const intervalColumn = (
  of: "place" | "mean",
  parts: Parts<"id" | "title" | "csv" | "width">,
): PaperColumn => ({
  isNumber: true,
  isIn: (run) => uncertaintyOf(run) !== null,
  keys: (run) => numbersFrom(run, (paper) => uncertaintyOf(run)?.[of][paper]),
  cell: (run, paper) => rangeOf(run, `${of}_range`, paper),
  ...parts,
});

type TextOfFiles = "title" | "track" | "area_chair";

/** A text that comes with the papers. */
const ofFiles = (id: TextOfFiles) => ({
  id,
  isIn: ({ view }: Run) => view.papers[id] !== null,
  textAt: ({ view }: Run, paper: number) => view.papers[id]?.[paper] ?? null,
});

/** A filter by the different values of such a text. */
const byValue = (name: TextOfFiles): ColumnFilter => ({
  name,
  options: ({ view }) => same(choices(view.papers[name])),
  passes: ({ view }, paper, value) => view.papers[name]?.[paper] === value,
});

const always = () => true;
const withMarks = ({ marks }: Run) => marks !== null;

export const COLUMNS: PaperColumn[] = [
  {
    id: "place",
    title: "Place",
    isNumber: true,
    isShown: always,
    csv: (run, { rankBy }) => placeColumns("place", placesOf(run, rankBy).now),
    width: (run) => `${rangeLength(run) + 2}ch`, // and an arrow
  },
  {
    id: "was",
    title: "Was",
    text: "The place by given scores; a range where papers were tied. An arrow marks papers that left it.",
    isShown: always,
    csv: (run, { rankBy }) => placeColumns("given_place", placesOf(run, rankBy).before),
    width: (run) => `${rangeLength(run) + 3}ch`, // and a warning
  },
  {
    id: "paper",
    title: "Paper",
    isShown: always,
    keys: ({ view }) => rankedIds(view.papers.paper),
    csv: ({ view }) => [{ name: "paper", cell: (paper) => view.papers.paper[paper] ?? null }],
    width: (run) => `${longestId(run)}ch + ${run.marks ? 4 : 2.25}rem`,
  },
  textColumn({
    ...ofFiles("title"),
    title: "Title",
    isShown: always,
    width: "19rem", // at least: it takes what the others leave
  }),
  textColumn({
    ...ofFiles("track"),
    title: "Track",
    isShown: always,
    width: (run) => `clamp(6rem, 26vw - 14.5rem, ${trackLength(run)}ch - 1rem)`,
    filter: byValue("track"),
  }),
  textColumn({
    ...ofFiles("area_chair"),
    title: "Area chair",
    width: "7.5rem",
    filter: byValue("area_chair"),
  }),
  numberColumn({
    id: "reviews",
    title: "Reviews",
    of: ({ reviewsOf }) => Float64Array.from(reviewsOf, (reviews) => reviews.length),
    digits: 0,
  }),
  {
    id: "scores",
    title: "Given",
    text: "The scores as reviewers gave them",
    isNumber: true,
    isShown: always,
    descends: true,
    keys: (run) => rankedScores(run, "given"),
    csv: (run) => [perReview(run, "scores", " ", (review) => run.view.reviews.score[review])],
    width: (run, stacked) => {
      const labels = run.view.scale.levels.map((level) => scoreLabel(run.view, level).length);
      return scoresWidth(run, Math.max(1, ...labels), stacked);
    },
  },
  {
    id: "new_scores",
    title: "New scores",
    isNumber: true,
    descends: true,
    keys: (run) => rankedScores(run, "dequantized"),
    csv: (run) => [
      perReview(run, "dequantized_scores", " ", (review) => run.view.reviews.dequantized[review]),
    ],
    width: (run, stacked) => scoresWidth(run, wholeLength(run) + LEAST_DIGITS, stacked),
  },
  {
    id: "rankings",
    title: "Rankings",
    csv: (run) => [
      perReview(run, "rankings", " | ", (review) =>
        rankingText(run.view, numberAt(run.view.reviews.reviewer, review)),
      ),
    ],
    width: "29rem",
  },
  ...optionsIn(STATISTIC_WORDS).map(([id, title]) =>
    numberColumn({
      id,
      title,
      of: (run, mode) => statisticsOf(run, mode, id),
      isShown: () => id === "mean",
      digits: LEAST_DIGITS,
      cell: (run, paper, { mode, rankBy, digits }) =>
        fixed(
          numberAt(statisticsOf(run, mode, id), paper),
          id === rankBy.statistic ? digits : leastDigits(run.view, mode, id),
        ),
      name: (mode) => `${mode === "given" ? "score" : mode}_${id}`,
      width: (run) => `${wholeLength(run) + MOST_DIGITS + 1}ch`,
    }),
  ),
  numberColumn({
    id: "percentile",
    title: "Percentile",
    text: "The mean percentile of the paper’s reviews among all reviews",
    of: percentilesOf,
    digits: 1,
    name: () => "percentile_mean",
  }),
  intervalColumn("mean", {
    id: "mean_range",
    title: "Plausible mean",
    text: "Where the paper’s mean lies with a probability of 90%. An estimate by a model.",
    descends: true,
    csv: (run) => [estimate(run, "low", true), estimate(run, "high", true)],
    width: (run) => `${2 * (wholeLength(run) + 3) + 4}ch`, // "5.21 to 6.03"
  }),
  numberColumn({
    id: "calibrated",
    title: "Mean without strictness",
    text: "The paper’s mean without the strictness of its reviewers. An estimate by a model; places and the line go by the mean of the new scores.",
    isIn: ({ view }) => Boolean(view.estimates?.calibration),
    of: (run) => numbersFrom(run, (paper) => run.view.estimates?.calibration?.calibrated[paper]),
    digits: LEAST_DIGITS,
  }),
  numberColumn({
    id: "moved",
    title: "Moved",
    of: movesOf,
    digits: 3,
    width: "7ch", // "−0.123"
  }),
  intervalColumn("place", {
    id: "place_range",
    title: "Plausible places",
    text: "The places where the paper lies with a probability of 90%. An estimate by a model, which goes by the paper’s mean whatever statistic the table is sorted by.",
    csv: (run) => [estimate(run, "place_low"), estimate(run, "place_high")],
    width: (run) => `${rangeLength(run)}ch`,
  }),
  {
    id: "p_accept",
    title: "In?",
    text: "The chance of being above the line, in per cent. An estimate by a model, which goes by the paper’s mean whatever statistic the table is sorted by.",
    isNumber: true,
    isIn: (run, accept) => accept !== null && sharesOf(run, accept.perTrack) !== null,
    isShown: always,
    descends: true,
    follows: "line",
    keys: (run, _, accept) => (accept && chancesOf(run, accept)) ?? new Float64Array(),
    csv: (run, { accept }) => {
      const chances = accept && chancesOf(run, accept);
      return [{ name: "p_accept", real: true, cell: (paper) => finite(chances?.[paper]) }];
    },
    width: "7ch", // "> 99%"
  },
  textColumn({
    id: "decision",
    title: "Decision",
    isIn: (run) => withMarks(run) || run.view.papers.decision !== null,
    isShown: withMarks, // to those who decide
    follows: "marks",
    textAt: decisionOf,
    width: "6.5rem",
    filter: {
      name: "decision",
      options: (run) => (run.marks ? [[UNDECIDED, "none"], ...same(labelsOf(run))] : []),
      passes: ({ marks }, paper, value) => !marks || (marks.decision[paper] ?? UNDECIDED) === value,
    },
  }),
  textColumn({
    id: "recommendation",
    title: "Area chair says",
    isIn: hasAdvice,
    isShown: hasAdvice,
    follows: "marks",
    // "Accept: strong paper", what the area chair recommends and writes to the chairs
    textAt: ({ marks }, paper) => {
      const parts = [marks?.recommendation[paper], marks?.area_chair_note[paper]];
      return parts.filter(Boolean).join(": ") || null;
    },
    csv: ({ marks }) =>
      (["recommendation", "area_chair_note"] as const).map((name) => ({
        name,
        cell: (paper) => marks?.[name][paper] ?? null,
      })),
    width: "9rem",
  }),
  textColumn({
    id: "tags",
    title: "Tags",
    isIn: withMarks,
    isShown: ({ marks }) => marks?.tags.some((tags) => tags.length > 0) ?? false,
    follows: "marks",
    textAt: ({ marks }, paper) => marks?.tags[paper]?.join(" ") || null,
    width: "7rem",
    filter: {
      name: "tag",
      title: "Tag",
      options: (run) => same(tagsInUse(run)),
      passes: ({ marks }, paper, value) => marks?.tags[paper]?.includes(value) ?? true,
    },
  }),
  textColumn({
    id: "note",
    title: "Note",
    isIn: withMarks,
    isShown: ({ marks }) => marks?.note.some(Boolean) ?? false,
    follows: "marks",
    textAt: ({ marks }, paper) => marks?.note[paper] || null,
    width: "11rem",
  }),
];

export function columnOf(id: string): PaperColumn {
  const column = COLUMNS.find((each) => each.id === id);
  if (!column) throw new Error(`No column ${id}`);
  return column;
}

export const isStatistic = (id: string): id is Statistic =>
  (STATISTICS as readonly string[]).includes(id);

/** Places are not sorted by: a statistic gives them. */
export const isSortable = ({ keys }: PaperColumn): boolean => keys !== undefined;

/** The columns that the view has; chances where there is a line. */
export const columnsOf = (run: Run, accept: Accept | null): PaperColumn[] =>
  COLUMNS.filter(({ isIn }) => isIn?.(run, accept) ?? true);

/** One number per paper to sort by; NaN, which comes last either way, where there is none. */
export function keysOf(
  run: Run,
  column: PaperColumn,
  mode: Mode,
  accept: Accept | null = null,
): Float64Array {
  return column.follows ? keysNow(run, column, mode, accept) : keysOnce(run, mode, column.id);
}

const keysNow = (run: Run, column: PaperColumn, mode: Mode, accept: Accept | null) =>
  column.keys?.(run, mode, accept) ?? new Float64Array();

const keysOnce = once((run: Run, mode: Mode, id: string) => keysNow(run, columnOf(id), mode, null));

/** The width of a column as CSS, at least that of its heading; "ch" is the width of a digit. */
export function widthOf(run: Run, { title, width }: PaperColumn, stacked: boolean): string {
  const heading = title.length + 2; // and the sort mark
  const cell = typeof width === "string" ? width : width(run, stacked);
  return `calc(max(${heading}ch, ${cell}) + 1rem)`;
}

/** The different values of a column, for a list to choose from. */
export function choices(column: (string | null)[] | null): string[] {
  const values = new Set((column ?? []).filter((value): value is string => Boolean(value)));
  return [...values].sort(collator.compare);
}

const same = (values: string[]) => values.map((value) => [value, value] as const);

function hasAdvice({ marks }: Run): boolean {
  return [marks?.recommendation, marks?.area_chair_note].some((texts) => texts?.some(Boolean));
}

const textsOf = (run: Run, of: TextAt): (string | null)[] =>
  Array.from({ length: run.papers }, (_, paper) => of(run, paper));

const numbersFrom = ({ papers }: Run, of: (paper: number) => number | null | undefined) =>
  Float64Array.from({ length: papers }, (_, paper) => of(paper) ?? Number.NaN);

/** One end of an interval in an export. */
const estimate = (
  run: Run,
  name: "place_low" | "place_high" | "low" | "high",
  real = false,
): CsvColumn => ({
  name: `model_${name}`,
  real,
  cell: (paper) => uncertaintyOf(run)?.[name][paper] ?? null,
});

/** First and last place in an export: numbers, since a spreadsheet takes 5-6 for a date. */
const placeColumns = (
  name: string,
  { first, last }: Record<"first" | "last", ArrayLike<number>>,
): CsvColumn[] => [
  { name, cell: (paper) => first[paper] || null },
  { name: `${name}_last`, cell: (paper) => last[paper] || null },
];

/** What each review of a paper says, in one cell of an export. */
const perReview = (
  { reviewsOf }: Run,
  name: string,
  separator: string,
  of: (review: number) => string | number | undefined,
): CsvColumn => ({ name, cell: (paper) => (reviewsOf[paper] ?? []).map(of).join(separator) });

/** A number, or nothing for a paper without scores. */
const finite = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

/** With more reviews than this, the table counts the rest. */
export const MOST_SCORES = 6;

function scoresWidth(run: Run, score: number, stacked: boolean): string {
  if (stacked) return `${score}ch`;
  const most = run.reviewsOf.reduce((size, reviews) => Math.max(size, reviews.length), 0);
  const shown = Math.min(most, MOST_SCORES);
  const more = most > shown ? count(most).length + 2 : 0; // "+54"
  return `(${shown} * (max(1.25rem, ${score}ch) + 0.55rem) + ${more}ch)`;
}

const rangeLength = (run: Run): number => 2 * String(run.papers).length + 1; // "496–545"

/** The characters of a score before its decimals, and a point. */
const wholeLength = ({ view }: Run): number =>
  Math.max(...view.scale.levels.map((level) => String(Math.trunc(level)).length)) + 1;

const longestOf = (texts: (string | number)[]): number =>
  texts.reduce<number>((most, text) => Math.max(most, String(text).length), 0);

const longestId = ({ view }: Run): number => Math.max(1, longestOf(view.papers.paper));

/** Room for the longest name of a track in two lines. */
function trackLength({ view }: Run): number {
  const names = choices(view.papers.track);
  return (longestOf(names) + longestOf(names.flatMap((name) => name.split(/[\s-]/)))) / 2 + 3;
}

const collator = new Intl.Collator("en", { numeric: true });

function rankedTexts(texts: (string | null)[]): Float64Array {
  return ranks(texts.length, (a, b) => collator.compare(texts[a] ?? "", texts[b] ?? "")).map(
    (rank, index) => (texts[index] ? rank : Number.NaN),
  );
}

/** Numbers before texts; numbers by size, texts in alphabetical order. */
function rankedIds(ids: (number | string)[]): Float64Array {
  return ranks(ids.length, (a, b) => {
    const [one, two] = [ids[a] ?? "", ids[b] ?? ""];
    if (typeof one === "number" && typeof two === "number") return one - two;
    if (typeof one !== typeof two) return typeof one === "number" ? -1 : 1;
    return collator.compare(String(one), String(two));
  });
}

/** By the best score, then the next best, and so on. */
function rankedScores(run: Run, mode: Mode): Float64Array {
  const values = valuesOf(run.view, mode);
  const best = run.reviewsOf.map((reviews) =>
    reviews.map((review) => numberAt(values, review)).sort((a, b) => b - a),
  );
  return ranks(best.length, (a, b) => {
    const [one, two] = [best[a] ?? [], best[b] ?? []];
    for (let index = 0; index < Math.min(one.length, two.length); index++) {
      const difference = numberAt(one, index) - numberAt(two, index);
      if (difference) return difference;
    }
    return one.length - two.length;
  });
}

/** The rank of each index under a comparison; equal ones share a rank. */
function ranks(size: number, compare: (a: number, b: number) => number): Float64Array {
  const sorted = Array.from({ length: size }, (_, index) => index).sort(compare);
  const result = new Float64Array(size);
  let rank = 0;
  sorted.forEach((index, position) => {
    const previous = sorted[position - 1];
    if (previous !== undefined && compare(previous, index)) rank = position;
    result[index] = rank;
  });
  return result;
}
