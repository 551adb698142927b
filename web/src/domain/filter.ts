// Which papers the table shows. Fast enough for every key press with 20,000 papers.
import { lineOf, type Part } from "./line";
import { COLUMNS, type Numbers, type PaperColumn } from "./columns";
import { placesOf, type RankBy } from "./places";
import { cached, numberAt, statisticOf, type Run } from "./run";
import type { Statistic } from "./glossary";

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
const searchTexts = (run: Run): string[] =>
  cached(run.view, "search texts", () => {
    const { papers, reviewers, reviews } = run.view;
    return run.reviewsOf.map((own, paper) =>
      [
        papers.paper[paper],
        papers.title?.[paper],
        papers.track?.[paper],
        papers.area_chair?.[paper],
        ...own.map((review) => reviewers[numberAt(reviews.reviewer, review)]),
      ]
        .filter((part) => part != null)
        .join("\n")
        .toLowerCase(),
    );
  });

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
  const value = (paper: number) => statisticOf(run, mode, paper, statistic);
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
