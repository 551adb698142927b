// The run and the papers that the viewer sees, in a line.
import { counted } from "./format";
import type { Run, View } from "./run";

const NUMBERS: Record<NonNullable<View["disclosure"]>, string> = {
  order:
    "The numbers show an order of your papers, as far as it tells nothing about others: distances mean nothing.",
  scoped: "The numbers are computed from the reviews and comparisons of your papers alone.",
  exact: "The numbers are the exact ones of the run.",
};

/** What kind of numbers an area chair sees; null for chairs. */
export const numbersText = ({ disclosure }: View): string | null =>
  disclosure ? NUMBERS[disclosure] : null;

/** "Demo 2026, Before rebuttal (2026-11-14): the 45 papers of Ann" */
export function scopeText(run: Run): string {
  const { viewer, conference, name, finished } = run.view;
  const which = [conference, name].filter(Boolean).join(", ") || "This run";
  const when = finished ? ` (${finished.slice(0, 10)})` : "";
  const papers = counted(run.papers, "paper");
  const whose = viewer.role === "chair" ? `all ${papers}` : `the ${papers} of ${viewer.name}`;
  return `${which}${when}: ${whose}`;
}
