// Which papers are shown. Fast enough to run on every key press for 20,000 papers.
import { numberAt, statisticOf, type Mode, type Run } from "./run";
import type { Statistic } from "./statistics";

export interface Filter {
  text: string; // every word must be found
  track: string | null;
  areaChair: string | null;
  statistic: Statistic;
  from: number | null;
  to: number | null;
  movedBy: number | null; // the mean, up or down
  contradicts: boolean;
}

const haystacks = new WeakMap<Run, string[]>();

/** The text that the search looks through, one per paper. */
function haystacksOf(run: Run): string[] {
  const cached = haystacks.get(run);
  if (cached) return cached;
  const { papers, reviewers, reviews } = run.view;
  const made = run.reviewsOf.map((own, paper) =>
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
  haystacks.set(run, made);
  return made;
}

/** The tests that a paper must pass, cheap ones first. */
function testsOf(run: Run, mode: Mode, filter: Filter): ((paper: number) => boolean)[] {
  const { track, areaChair, statistic, from, to, movedBy } = filter;
  const { papers } = run.view;
  const tests: ((paper: number) => boolean)[] = [];
  if (track !== null) tests.push((paper) => papers.track?.[paper] === track);
  if (areaChair !== null) tests.push((paper) => papers.area_chair?.[paper] === areaChair);
  const value = (paper: number) => statisticOf(run, mode, paper, statistic);
  if (from !== null) tests.push((paper) => value(paper) >= from);
  if (to !== null) tests.push((paper) => value(paper) <= to);
  if (movedBy !== null) tests.push((paper) => Math.abs(numberAt(run.moved, paper)) >= movedBy);
  if (filter.contradicts) tests.push((paper) => run.contradicted.has(paper));
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length) {
    const texts = haystacksOf(run);
    tests.push((paper) => words.every((word) => texts[paper]?.includes(word)));
  }
  return tests;
}

export function passing(run: Run, mode: Mode, filter: Filter): number[] {
  const tests = testsOf(run, mode, filter);
  const papers: number[] = [];
  for (let paper = 0; paper < run.papers; paper++)
    if (tests.every((test) => test(paper))) papers.push(paper);
  return papers;
}

/** The different values of a column, for a list to choose from. */
export function choices(column: (string | null)[] | null): string[] {
  const values = new Set((column ?? []).filter((value): value is string => Boolean(value)));
  return [...values].sort(new Intl.Collator("en", { numeric: true }).compare);
}
