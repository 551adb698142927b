// The order of an area chair's papers, and what decides it, where the scores of the run are hidden.
import { counted } from "./format";
import { reviewerTitle } from "./rankings";
import { numberAt, statisticOf, type Run, type View } from "./run";

export interface PlacedPaper {
  paper: number;
  first: number; // tied papers share a range of places; 0 without scores
  last: number;
}

/** All papers, best first; those without scores at the end. */
export function placedPapers({ view, papers }: Run): PlacedPaper[] {
  const place = (paper: number) => view.order?.[paper] ?? Infinity;
  const sorted = Array.from({ length: papers }, (_, paper) => paper).sort(
    (a, b) => place(a) - place(b) || a - b,
  );
  return sorted.map((paper) => {
    if (place(paper) === Infinity) return { paper, first: 0, last: 0 };
    const isTied = (other: number) => place(other) === place(paper);
    return { paper, first: sorted.findIndex(isTied) + 1, last: sorted.findLastIndex(isTied) + 1 };
  });
}

/** What decides between a paper and the next one; null where the given scores say it already. */
export function reasonAgainstNext(run: Run, paper: PlacedPaper, next?: PlacedPaper): string | null {
  if (!next?.first) return null;
  if (paper.first === next.first) return "tied with the next";
  const above = countRanking(run, paper.paper, next.paper);
  const below = countRanking(run, next.paper, paper.paper);
  if (above) {
    const against = below ? `, below it by ${counted(below, "reviewer")}` : "";
    return `ranked above the next by ${counted(above, "reviewer")}${against}`;
  }
  const given = (one: PlacedPaper) => statisticOf(run, "given", one.paper, "mean");
  if (given(paper) > given(next)) return null;
  const mean = given(paper) < given(next) ? "lower mean than" : "same mean as";
  return `${mean} the next; rankings and other reviews decide`;
}

/** How many reviewers rank one paper above another. */
function countRanking({ view, reviewsOf }: Run, better: number, worse: number): number {
  return (reviewsOf[better] ?? []).filter((review) =>
    ranksAbove(view, numberAt(view.reviews.reviewer, review), better, worse),
  ).length;
}

function ranksAbove(view: View, reviewer: number, better: number, worse: number): boolean {
  const { groups, pairs } = view.rankings[reviewer] ?? { groups: [], pairs: [] };
  const rank = (paper: number) => groups.findIndex((group) => group.includes(paper));
  const [one, two] = [rank(better), rank(worse)];
  if (one >= 0 && two >= 0) return one < two;
  return pairs.some((pair) => pair[0] === better && pair[1] === worse);
}

/** Whom to ask about a paper; null where nobody contradicts themselves. */
export function orderContradiction(run: Run, paper: number): string | null {
  const names = (run.reviewsOf[paper] ?? [])
    .filter((review) => run.contradicts.has(review))
    .map((review) => reviewerTitle(run.view, numberAt(run.view.reviews.reviewer, review)));
  if (!names.length) return null;
  const rank = names.length === 1 ? "ranks" : "rank";
  return `${names.join(" and ")} ${rank} it against their own scores: ask them`;
}
