// Which papers the table shows, and in which order. Fast enough for every key press with 20,000 papers.
import { columnOf, isStatistic, keysOf, COLUMNS, type Numbers, type PaperColumn } from "./columns";
import type { Accept } from "./line";
import { compareLastNaN, numberAt, type Mode, type Run, once, statisticsOf } from "./run";
import { lineOf, type Part } from "./line";
import { placesOf, type RankBy } from "./places";
import type { Statistic } from "./glossary";

export interface SortBy {
  id: string; // of a column
  desc: boolean;
}

const DEFAULT_RANK_BY: RankBy = { statistic: "mean", desc: true };

/** The statistic that gives the places: the first that the table is sorted by, else the mean. */
export function rankByOf(sort: SortBy[]): RankBy {
  for (const { id, desc } of sort) if (isStatistic(id)) return { statistic: id, desc };
  return DEFAULT_RANK_BY;
}

/** A new sorting; the statistic that gives the places stays, at the end where it is not named. */
export function keepRankBy(next: SortBy[], before: SortBy[]): SortBy[] {
  const { statistic, desc } = rankByOf(before);
  const named = next.some(({ id }) => isStatistic(id));
  const first = statistic === DEFAULT_RANK_BY.statistic && desc === DEFAULT_RANK_BY.desc;
  return named || first ? next : [...next, { id: statistic, desc }];
}

/** The sorting after a click on a heading: by that column alone, or with `adding` by it too. A column
 * that already sorts last, or any with `adding`, is reversed where it is. */
export function sortedBy(sort: SortBy[], id: string, adding: boolean): SortBy[] {
  const index = sort.findIndex((each) => each.id === id);
  const desc = sort[index] ? !sort[index].desc : (columnOf(id).descends ?? false);
  if (index >= 0 && (adding || index === sort.length - 1)) return sort.with(index, { id, desc });
  return adding ? [...sort, { id, desc }] : [{ id, desc }];
}

/** Whether the line changes an order. */
export const followsLine = (sort: SortBy[]): boolean =>
  sort.some(({ id }) => columnOf(id).follows === "line");

/** All papers sorted by the first column, ties by the next, and so on; what is still tied, by the paper's number. */
export function ordered(
  run: Run,
  mode: Mode,
  sort: SortBy[],
  accept: Accept | null = null,
): number[] {
  const keys = sort.map(
    ({ id, desc }) => [keysOf(run, columnOf(id), mode, accept), desc ? -1 : 1] as const,
  );
  const ids = keysOf(run, columnOf("paper"), mode);
  return [...run.reviewsOf.keys()].sort((a, b) => {
    for (const [column, sign] of keys) {
      const difference = compareLastNaN(numberAt(column, a), numberAt(column, b), sign);
      if (difference) return difference;
    }
    return numberAt(ids, a) - numberAt(ids, b);
  });
}

export interface Filter {
  text: string; // every word must be found; "#490" is a place
  statistic: Statistic;
  from: number | null;
  to: number | null;
  part: Part | null; // of the papers around the line; passes all where there is no line
  contradicts: boolean;
  values: Record<string, string>; // of columns, by the names of their filters
}

/** Columns with a filter that is set, and what is wanted of them. */
export const chosenIn = ({ values }: Filter): [PaperColumn, string][] =>
  COLUMNS.flatMap((column) => {
    const value = values[column.filter?.name ?? ""];
    return value === undefined ? [] : [[column, value]];
  });

/** The text that the search looks through, one per paper. */
const searchTexts = once(({ view: { papers, reviewers, reviews }, reviewsOf }: Run) =>
  reviewsOf.map((own, paper) =>
    [
      papers.paper[paper],
      papers.title?.[paper],
      papers.track?.[paper],
      papers.area_chair?.[paper],
      ...own.map((review) => reviewers[numberAt(reviews.reviewer, review)]),
    ]
      .filter((text) => text != null)
      .join("\n")
      .toLowerCase(),
  ),
);

/** A filter with the table that it applies to. */
interface FilterContext extends Numbers {
  filter: Filter;
}

type Test = (paper: number) => boolean;

/** The tests that a paper must pass, cheap ones first. */
function testsOf(run: Run, context: FilterContext): Test[] {
  const { mode, filter } = context;
  const { statistic, from, to, part } = filter;
  const tests: Test[] = chosenIn(filter).map(
    ([column, wanted]) =>
      (paper) =>
        column.filter?.passes(run, paper, wanted) ?? true,
  );
  const values = statisticsOf(run, mode, statistic);
  const value = (paper: number) => numberAt(values, paper);
  if (from !== null) tests.push((paper) => value(paper) >= from);
  if (to !== null) tests.push((paper) => value(paper) <= to);
  if (part && context.accept) {
    const inside = lineOf(run, context.rankBy, context.accept).parts[part];
    tests.push((paper) => inside[paper] === 1);
  }
  if (filter.contradicts) tests.push((paper) => run.contradicted.has(paper));
  for (const word of filter.text.toLowerCase().split(/\s+/).filter(Boolean))
    tests.push(wordTest(run, word, context.rankBy));
  return tests;
}

/** Whether a word is found in a paper's text or note; "#490" finds the papers that share place 490. */
function wordTest(run: Run, word: string, rankBy: RankBy): Test {
  const place = Number(/^#(\d+)$/.exec(word)?.[1] ?? 0);
  if (place) {
    const { first, last } = placesOf(run, rankBy).now;
    return (paper) => numberAt(first, paper) <= place && place <= numberAt(last, paper);
  }
  const texts = searchTexts(run);
  return (paper) =>
    texts[paper]?.includes(word) || (run.marks?.note[paper]?.toLowerCase().includes(word) ?? false);
}

/** The papers that pass, in the same order. */
export function passing(run: Run, context: FilterContext, papers: number[]): number[] {
  const tests = testsOf(run, context);
  return papers.filter((paper) => tests.every((test) => test(paper)));
}
