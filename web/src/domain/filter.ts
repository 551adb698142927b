// Which papers the table shows. Fast enough for every key press with 20,000 papers.
import { lineOf, type Accept, type Part } from "./line";
import { UNDECIDED } from "./decisions";
import { placesOf, type RankBy } from "./places";
import { cached, numberAt, statisticOf, type Mode, type Run } from "./run";
import type { Statistic } from "./glossary";

export interface Filter {
  text: string; // every word must be found; "#490" is a place
  track: string | null;
  areaChair: string | null;
  statistic: Statistic;
  from: number | null;
  to: number | null;
  part: Part | null; // of the papers around the line; passes all where there is no line
  contradicts: boolean;
  decision: string | null; // the chairs'; UNDECIDED for none
  tag: string | null;
}

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
interface FilterContext {
  mode: Mode;
  rankBy: RankBy;
  filter: Filter;
  accept: Accept | null;
}

type Test = (paper: number) => boolean;

/** The tests that a paper must pass, cheap ones first. */
function testsOf(run: Run, context: FilterContext): Test[] {
  const { mode, filter } = context;
  const { track, areaChair, statistic, from, to, part } = filter;
  const { papers } = run.view;
  const tests: Test[] = markTests(run, filter);
  if (track !== null) tests.push((paper) => papers.track?.[paper] === track);
  if (areaChair !== null) tests.push((paper) => papers.area_chair?.[paper] === areaChair);
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

/** The tests by the chairs' marks; without marks every paper passes. */
function markTests({ marks }: Run, { decision, tag }: Filter): Test[] {
  const tests: Test[] = [];
  if (!marks) return tests;
  if (decision !== null) {
    const wanted = decision === UNDECIDED ? null : decision;
    tests.push((paper) => (marks.decision[paper] ?? null) === wanted);
  }
  if (tag !== null) tests.push((paper) => marks.tags[paper]?.includes(tag) ?? false);
  return tests;
}

/** The papers that pass, in the same order. */
export function passing(run: Run, context: FilterContext, papers: number[]): number[] {
  const tests = testsOf(run, context);
  return papers.filter((paper) => tests.every((test) => test(paper)));
}

/** The different values of a column, for a list to choose from. */
export function choices(column: (string | null)[] | null): string[] {
  const values = new Set((column ?? []).filter((value): value is string => Boolean(value)));
  return [...values].sort(new Intl.Collator("en", { numeric: true }).compare);
}
