// The columns of the table of papers, and the number that each sorts by.
import { optionsIn, STATISTIC_WORDS, STATISTICS, type Statistic } from "./glossary";
import { decisionOf } from "./decisions";
import { chancesOf, type Accept } from "./line";
import { laterMode, orderInView, placesOf, type RankBy } from "./places";
import { cached, hasScores, numberAt, valuesOf, type Mode, type Run } from "./run";
import { sharesOf, uncertaintyOf } from "./uncertainty";

export const COLUMNS = [
  "place",
  "paper",
  "p_accept",
  "place_range",
  "title",
  "track",
  "area_chair",
  "decision",
  "tags",
  "reviews",
  "scores",
  "rankings",
  ...STATISTICS,
  "mean_range",
  "moved",
  "change",
] as const;
export type Column = (typeof COLUMNS)[number];

export const COLUMN_NAMES: Record<Column, string> = {
  place: "Place",
  paper: "Paper",
  p_accept: "P(accept)",
  place_range: "Plausible places",
  title: "Title",
  track: "Track",
  area_chair: "Area chair",
  decision: "Decision",
  tags: "Tags",
  reviews: "Reviews",
  scores: "Scores",
  rankings: "Rankings",
  ...(Object.fromEntries(optionsIn(STATISTIC_WORDS)) as Record<Statistic, string>),
  moved: "Moved",
  mean_range: "Plausible mean",
  change: "Change of place",
};

/** Explanations of headings. */
export const COLUMN_TEXTS: Partial<Record<Column, string>> = {
  p_accept:
    "In how many of the plausible orders the paper is above the line. This rests on a model, and goes by the paper’s mean whatever statistic the table is sorted by.",
  place_range:
    "The places that 90% of the plausible orders give the paper. This rests on a model, and goes by the paper’s mean whatever statistic the table is sorted by.",
  mean_range: "Where the paper’s mean lies with a probability of 90%. This rests on a model.",
};

const TEXTS = ["title", "track", "area_chair", "decision", "tags"] as const;
type Text = (typeof TEXTS)[number];

export const isText = (column: Column): column is Text =>
  (TEXTS as readonly string[]).includes(column);
export const isStatistic = (column: Column): column is Statistic =>
  (STATISTICS as readonly string[]).includes(column);
/** Rankings have no order, and places that of their statistic, unless the view has the order alone. */
export const isSortable = ({ view }: Run, column: Column): boolean =>
  column === "place" ? !hasScores(view) : column !== "rankings";
/** Numbers start with the largest, texts and paper numbers with the first. */
export const startsDescending = (column: Column): boolean =>
  !["paper", "place", "place_range"].includes(column) && !isText(column);

const RANGES: Column[] = ["place_range", "mean_range"];
const NUMBERS: Column[] = ["moved", "reviews", "scores", "change", "p_accept", ...RANGES];
/** Whether a column is aligned as numbers are. */
export const isNumber = (column: Column): boolean =>
  isStatistic(column) || NUMBERS.includes(column);

/** The columns that the view has; rankings are shown beside the given scores only, P(accept) where
 * there is a line. */
export function columnsOf(run: Run, mode: Mode, accept: Accept | null): Column[] {
  return COLUMNS.filter((column) => {
    if (column === "tags") return run.marks !== null;
    if (column === "decision" && run.marks) return true;
    if (isText(column)) return run.view.papers[column] !== null;
    if (column === "moved") return hasScores(run.view);
    if (RANGES.includes(column)) return uncertaintyOf(run) !== null;
    if (column === "p_accept") return accept !== null && sharesOf(run, accept.perTrack) !== null;
    return column !== "rankings" || mode === "given";
  });
}

const HIDDEN_BY_DEFAULT: Column[] = ["reviews", "change"];

/** Shown unless the reader chooses otherwise. Scores show the number of reviews, places their change.
 * Decisions are shown to those who make them, tags where there are any. */
export function isShownByDefault(run: Run, column: Column): boolean {
  if (column === "decision") return run.marks !== null;
  if (column === "tags") return run.marks?.tags.some((tags) => tags.length > 0) ?? false;
  return !HIDDEN_BY_DEFAULT.includes(column);
}

/** The text of a column; null where there is none. */
export function textAt(run: Run, column: Text, paper: number): string | null {
  if (column === "decision") return decisionOf(run, paper);
  if (column === "tags") return run.marks?.tags[paper]?.join(" ") || null;
  return run.view.papers[column]?.[paper] ?? null;
}

/** Whether the order by a column changes with the chairs' marks. */
export const isMarked = (column: Column): boolean => column === "decision" || column === "tags";

/** What the order of papers depends on, apart from the column. */
interface Basis {
  mode: Mode;
  rankBy: RankBy;
  accept: Accept | null;
}

/** One number per paper to sort by; NaN, which comes last either way, where there is none. */
export function keysOf(run: Run, column: Column, { mode, rankBy, accept }: Basis): Float64Array {
  if (column === "change") return placesOf(run, mode, rankBy).change;
  if (column === "p_accept") return (accept && chancesOf(run, accept)) ?? new Float64Array();
  if (isMarked(column)) return makeKeys(run, mode, column);
  return cached(run.view, `${mode} ${column} sort keys`, () => makeKeys(run, mode, column));
}

function makeKeys(run: Run, mode: Mode, column: Column): Float64Array {
  if (column === "place") return orderInView(run, laterMode(mode)) ?? new Float64Array();
  if (column === "paper") return rankedIds(run.view.papers.paper);
  if (isText(column))
    return rankedTexts(
      Array.from({ length: run.papers }, (_, paper) => textAt(run, column, paper)),
    );
  if (isStatistic(column)) return Float64Array.from(run.statistics[mode], (each) => each[column]);
  if (column === "moved") return Float64Array.from(run.moved);
  if (column === "scores") return rankedScores(run, mode);
  if (column === "place_range") return numbersOf(run, "place");
  if (column === "mean_range") return numbersOf(run, "mean");
  return Float64Array.from(run.reviewsOf, (reviews) => reviews.length);
}

const numbersOf = (run: Run, name: "place" | "mean"): Float64Array =>
  Float64Array.from({ length: run.papers }, (_, paper) => uncertaintyOf(run)?.[name][paper] ?? NaN);

const collator = new Intl.Collator("en", { numeric: true });

function rankedTexts(texts: (string | null)[]): Float64Array {
  return ranks(texts.length, (a, b) => collator.compare(texts[a] ?? "", texts[b] ?? "")).map(
    (rank, place) => (texts[place] ? rank : Number.NaN),
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
    for (let place = 0; place < Math.min(one.length, two.length); place++) {
      const difference = numberAt(one, place) - numberAt(two, place);
      if (difference) return difference;
    }
    return one.length - two.length;
  });
}

/** The rank of each place under a comparison; equal places share a rank. */
function ranks(size: number, compare: (a: number, b: number) => number): Float64Array {
  const places = Array.from({ length: size }, (_, place) => place).sort(compare);
  const result = new Float64Array(size);
  let rank = 0;
  places.forEach((place, index) => {
    const previous = places[index - 1];
    if (previous !== undefined && compare(previous, place)) rank = index;
    result[place] = rank;
  });
  return result;
}
