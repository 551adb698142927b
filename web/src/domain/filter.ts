// Which papers are shown. Fast enough to run on every key press for 20,000 papers.
import { lineOf, type Accept, type Part } from "./line";
import { UNDECIDED } from "./decisions";
import { placesOf, tieBroken, type Ruling } from "./places";
import { numberAt, statisticOf, type Mode, type Run, type View, type Statistic } from "./run";

export interface Filter {
  text: string; // every word must be found
  track: string | null;
  areaChair: string | null;
  statistic: Statistic;
  from: number | null;
  to: number | null;
  movedBy: number | null; // the mean, up or down
  changedBy: number | null; // places, up or down
  tieBroken: boolean;
  part: Part | null; // of the papers around the line; passes all where there is no line
  contradicts: boolean;
  decision: string | null; // the chairs'; UNDECIDED for none
  tag: string | null;
}

const haystacks = new WeakMap<View, string[]>();

/** The text that the search looks through, one per paper. */
function haystacksOf(run: Run): string[] {
  const cached = haystacks.get(run.view);
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
  haystacks.set(run.view, made);
  return made;
}

/** What a filter depends on beside itself. */
export interface Asked {
  mode: Mode;
  ruling: Ruling;
  filter: Filter;
  accept: Accept | null;
}

type Test = (paper: number) => boolean;

/** The tests that a paper must pass, cheap ones first. */
function testsOf(run: Run, asked: Asked): Test[] {
  const { mode, filter } = asked;
  const { track, areaChair, statistic, from, to, movedBy } = filter;
  const { papers } = run.view;
  const tests: Test[] = [...markTests(run, filter), ...placeTests(run, asked)];
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

/** The tests by place and by the line. */
function placeTests(run: Run, { mode, ruling, filter, accept }: Asked): Test[] {
  const tests: Test[] = [];
  const { changedBy, part } = filter;
  const places = placesOf(run, mode, ruling);
  if (changedBy !== null)
    tests.push((paper) => Math.abs(numberAt(places.change, paper)) >= changedBy);
  if (filter.tieBroken) tests.push((paper) => tieBroken(places, paper));
  if (part && accept) {
    const inside = lineOf(run, mode, ruling, accept).parts[part];
    tests.push((paper) => inside[paper] === 1);
  }
  return tests;
}

/** Those of the papers that pass, in the order in which they come. */
export function passing(run: Run, asked: Asked, papers: number[]): number[] {
  const tests = testsOf(run, asked);
  return papers.filter((paper) => tests.every((test) => test(paper)));
}

/** The different values of a column, for a list to choose from. */
export function choices(column: (string | null)[] | null): string[] {
  const values = new Set((column ?? []).filter((value): value is string => Boolean(value)));
  return [...values].sort(new Intl.Collator("en", { numeric: true }).compare);
}
