// The columns of the table of papers, and the number that each sorts by.
import { optionsIn, STATISTIC_WORDS, STATISTICS, type Statistic } from "./glossary";
import { decisionOf } from "./decisions";
import { chancesOf, type Accept } from "./line";
import { orderInView } from "./places";
import {
  cached,
  hasScores,
  movesOf,
  numberAt,
  percentilesOf,
  statisticsOf,
  valuesOf,
  type Mode,
  type Run,
} from "./run";
import { sharesOf, uncertaintyOf } from "./uncertainty";

export const COLUMNS = [
  "place",
  "was",
  "paper",
  "title",
  "track",
  "area_chair",
  "reviews",
  "scores",
  "new_scores",
  "rankings",
  ...STATISTICS,
  "percentile",
  "mean_range",
  "calibrated",
  "moved",
  "place_range",
  "p_accept",
  "decision",
  "recommendation",
  "tags",
  "note",
] as const;
export type Column = (typeof COLUMNS)[number];

export const COLUMN_NAMES: Record<Column, string> = {
  place: "Place",
  was: "Was",
  paper: "Paper",
  p_accept: "In?",
  place_range: "Plausible places",
  title: "Title",
  track: "Track",
  area_chair: "Area chair",
  recommendation: "Area chair says",
  decision: "Decision",
  tags: "Tags",
  note: "Note",
  reviews: "Reviews",
  scores: "Given",
  new_scores: "New scores",
  rankings: "Rankings",
  percentile: "Percentile",
  ...(Object.fromEntries(optionsIn(STATISTIC_WORDS)) as Record<Statistic, string>),
  moved: "Moved",
  mean_range: "Plausible mean",
  calibrated: "Mean without strictness",
};

/** Explanations of headings. */
export const COLUMN_TEXTS: Partial<Record<Column, string>> = {
  was: "The place by given scores; a range where papers were tied. An arrow marks papers that left it.",
  scores: "The scores as reviewers gave them",
  percentile: "The mean percentile of the paper’s reviews among all reviews",
  p_accept:
    "The chance of being above the line, in per cent. An estimate by a model, which goes by the paper’s mean whatever statistic the table is sorted by.",
  place_range:
    "The places where the paper lies with a probability of 90%. An estimate by a model, which goes by the paper’s mean whatever statistic the table is sorted by.",
  calibrated:
    "The paper’s mean without the strictness of its reviewers. An estimate by a model; places and the line go by the mean of the new scores.",
  mean_range: "Where the paper’s mean lies with a probability of 90%. An estimate by a model.",
};

const MARKED = ["decision", "recommendation", "tags", "note"] as const;
const TEXTS = ["title", "track", "area_chair", ...MARKED] as const;
type Text = (typeof TEXTS)[number];

export const isText = (column: Column): column is Text =>
  (TEXTS as readonly string[]).includes(column);
export const isStatistic = (column: Column): column is Statistic =>
  (STATISTICS as readonly string[]).includes(column);
/** Rankings have no order, and places that of their statistic, unless the view has the order alone. */
export const isSortable = ({ view }: Run, column: Column): boolean =>
  column === "place" ? !hasScores(view) : column !== "was" && column !== "rankings";
/** Numbers start with the largest, texts and paper numbers with the first. */
export const startsDescending = (column: Column): boolean =>
  !["paper", "place", "place_range"].includes(column) && !isText(column);

const RANGES: Column[] = ["place_range", "mean_range"];
const NUMBERS: Column[] = [
  ...(["place", "moved", "reviews", "scores", "new_scores", "percentile"] as const),
  ...(["p_accept", "calibrated", ...RANGES] as const),
];
/** Whether a column is aligned as numbers are. */
export const isNumber = (column: Column): boolean =>
  isStatistic(column) || NUMBERS.includes(column);

/** The columns that the view has; chances where there is a line. */
export function columnsOf(run: Run, accept: Accept | null): Column[] {
  return COLUMNS.filter((column) => {
    if (column === "recommendation") return isShownByDefault(run, column);
    if (column === "tags" || column === "note") return run.marks !== null;
    if (column === "decision" && run.marks) return true;
    if (isText(column)) return run.view.papers[column] !== null;
    if (["moved", "new_scores", "percentile"].includes(column)) return hasScores(run.view);
    if (RANGES.includes(column)) return uncertaintyOf(run) !== null;
    if (column === "calibrated") return Boolean(run.view.estimates?.calibration);
    if (column === "p_accept") return accept !== null && sharesOf(run, accept.perTrack) !== null;
    return true;
  });
}

const SHOWN: Column[] = ["place", "was", "paper", "title", "track", "scores", "mean", "p_accept"];

/** Shown unless the reader chooses otherwise: what a decision needs. Decisions are shown to those who
 * make them; tags, notes and what area chairs say where there are any. */
export function isShownByDefault({ marks }: Run, column: Column): boolean {
  if (column === "decision") return marks !== null;
  if (column === "tags") return marks?.tags.some((tags) => tags.length > 0) ?? false;
  if (column === "note") return marks?.note.some(Boolean) ?? false;
  if (column === "recommendation")
    return [marks?.recommendation, marks?.area_chair_note].some((texts) => texts?.some(Boolean));
  return SHOWN.includes(column);
}

/** The text of a column; null where there is none. */
export function textAt(run: Run, column: Text, paper: number): string | null {
  if (column === "decision") return decisionOf(run, paper);
  if (column === "tags") return run.marks?.tags[paper]?.join(" ") || null;
  if (column === "note") return run.marks?.note[paper] || null;
  if (column === "recommendation") return adviceOn(run, paper);
  return run.view.papers[column]?.[paper] ?? null;
}

/** "Accept: strong paper", what the area chair recommends and writes to the chairs. */
function adviceOn({ marks }: Run, paper: number): string | null {
  const parts = [marks?.recommendation[paper], marks?.area_chair_note[paper]];
  return parts.filter(Boolean).join(": ") || null;
}

/** Whether the order by a column changes with the chairs' marks. */
export const isMarked = (column: Column): boolean => (MARKED as readonly string[]).includes(column);

/** One number per paper to sort by; NaN, which comes last either way, where there is none. */
export function keysOf(
  run: Run,
  column: Column,
  mode: Mode,
  accept: Accept | null = null,
): Float64Array {
  if (column === "p_accept") return (accept && chancesOf(run, accept)) ?? new Float64Array();
  if (isMarked(column)) return makeKeys(run, mode, column);
  return cached(run.view, `${mode} ${column} sort keys`, () => makeKeys(run, mode, column));
}

function makeKeys(run: Run, mode: Mode, column: Column): Float64Array {
  if (column === "place") return orderInView(run, "dequantized") ?? new Float64Array();
  if (column === "paper") return rankedIds(run.view.papers.paper);
  if (isText(column))
    return rankedTexts(
      Array.from({ length: run.papers }, (_, paper) => textAt(run, column, paper)),
    );
  if (isStatistic(column)) return statisticsOf(run, mode, column);
  if (column === "moved") return movesOf(run);
  if (column === "percentile") return percentilesOf(run);
  if (column === "scores") return rankedScores(run, "given");
  if (column === "new_scores") return rankedScores(run, "dequantized");
  if (column === "place_range") return numbersOf(run, "place");
  if (column === "mean_range") return numbersOf(run, "mean");
  if (column === "calibrated") return calibratedOf(run);
  return Float64Array.from(run.reviewsOf, (reviews) => reviews.length);
}

const numbersOf = (run: Run, name: "place" | "mean"): Float64Array =>
  Float64Array.from({ length: run.papers }, (_, paper) => uncertaintyOf(run)?.[name][paper] ?? NaN);

/** The mean of each paper without the strictness of its reviewers; NaN where it is unknown. */
export const calibratedOf = ({ papers, view }: Run): Float64Array =>
  Float64Array.from(
    { length: papers },
    (_, paper) => view.estimates?.calibration?.calibrated[paper] ?? NaN,
  );

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
