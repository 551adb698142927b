// Which papers are shown. Cheap enough for every key press on 20,000 papers.
import type { Mode, Run } from "./run";
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

/** All that the search looks through, a paper at a time. */
function haystacksOf(run: Run): string[] {
  const known = haystacks.get(run);
  if (known) return known;
  const { papers, reviewers, reviews } = run.view;
  const made = run.reviewsOf.map((own, paper) =>
    [
      papers.paper[paper],
      papers.title?.[paper],
      papers.track?.[paper],
      papers.area_chair?.[paper],
      ...own.map((review) => reviewers[reviews.reviewer[review] as number]),
    ]
      .filter((part) => part != null)
      .join("\n")
      .toLowerCase(),
  );
  haystacks.set(run, made);
  return made;
}

/** One after the other: tests that say no early save the rest. */
function testsOf(run: Run, mode: Mode, filter: Filter): ((paper: number) => boolean)[] {
  const { track, areaChair, statistic, from, to, movedBy } = filter;
  const { papers } = run.view;
  const tests: ((paper: number) => boolean)[] = [];
  if (track !== null) tests.push((paper) => papers.track?.[paper] === track);
  if (areaChair !== null) tests.push((paper) => papers.area_chair?.[paper] === areaChair);
  const values = run.statistics[mode];
  if (from !== null) tests.push((paper) => (values[paper]?.[statistic] as number) >= from);
  if (to !== null) tests.push((paper) => (values[paper]?.[statistic] as number) <= to);
  if (movedBy !== null) tests.push((paper) => Math.abs(run.moved[paper] as number) >= movedBy);
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
  const found: number[] = [];
  for (let paper = 0; paper < run.papers; paper++)
    if (tests.every((test) => test(paper))) found.push(paper);
  return found;
}

/** The different values of a column, for a list to choose from. */
export function choices(column: (string | null)[] | null): string[] {
  const found = new Set((column ?? []).filter((value): value is string => Boolean(value)));
  return [...found].sort(new Intl.Collator("en", { numeric: true }).compare);
}
