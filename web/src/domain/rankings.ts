// A reviewer's ranking as a row of names and signs.
import { OUTSIDE, type View } from "./run";

export const STAR = "★";
export const STAR_NAME = "a paper outside your scope";

/** A paper in a ranking, and the sign before it. */
export interface Step {
  sign: "" | " > " | " = " | "; ";
  paper: number; // OUTSIDE for a star
}

export function stepsOf(view: View, reviewer: number): Step[] {
  const { groups, pairs } = view.rankings[reviewer] ?? { groups: [], pairs: [] };
  const steps: Step[] = [];
  groups.forEach((group, rank) =>
    group.forEach((paper, index) => steps.push({ sign: index ? " = " : rank ? " > " : "", paper })),
  );
  for (const [better, worse] of pairs)
    steps.push({ sign: steps.length ? "; " : "", paper: better }, { sign: " > ", paper: worse });
  return steps;
}

export function nameOf(view: View, paper: number): string {
  return paper === OUTSIDE ? STAR : String(view.papers.paper[paper]);
}

/** "12 > 7 = ★ > 30"; empty when the reviewer ranked nothing. */
export function rankingText(view: View, reviewer: number): string {
  return stepsOf(view, reviewer)
    .map(({ sign, paper }) => sign + nameOf(view, paper))
    .join("");
}

/** "R7" for the pseudonym "Reviewer 7" and for the number 7; names stay as they are. */
export function shortReviewer(view: View, reviewer: number): string {
  const name = view.reviewers[reviewer] ?? "";
  return name.replace(/^(?:Reviewer )?(\d+)$/, "R$1");
}

/** "Reviewer 7" for the number 7; names stay as they are. */
export function reviewerTitle(view: View, reviewer: number): string {
  const name = view.reviewers[reviewer] ?? "";
  return /^\d+$/.test(name) ? `Reviewer ${name}` : name;
}
