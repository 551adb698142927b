// The run and the papers that the viewer sees, in a line.
import { counted } from "./format";
import type { Run } from "./run";

/** "Demo 2026, Before rebuttal (2026-11-14): the 45 papers of Ann" */
export function scopeText(run: Run): string {
  const { viewer, conference, name, finished } = run.view;
  const which = [conference, name].filter(Boolean).join(", ") || "This run";
  const when = finished ? ` (${finished.slice(0, 10)})` : "";
  const papers = counted(run.papers, "paper");
  const whose = viewer.role === "chair" ? `all ${papers}` : `the ${papers} of ${viewer.name}`;
  return `${which}${when}: ${whose}`;
}
