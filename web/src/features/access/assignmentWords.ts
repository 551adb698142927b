// What importing area chairs would change, in words.
import type { AssignmentResult } from "../../api/types";
import { count, counted } from "../../domain/format";

const people = (number: number) => `${count(number)} ${number === 1 ? "person" : "people"}`;

/** One line for each thing that changes; none where nobody comes or goes. */
export function changesOf(plan: AssignmentResult): string[] {
  const { added, returning, returning_links, removed, removed_links } = plan;
  return [
    added && `adds ${people(added)}`,
    returning && `brings back ${people(returning)} with ${counted(returning_links, "link")}`,
    removed && `removes ${people(removed)}, and ${counted(removed_links, "link")} stop working`,
  ].filter((line) => line !== 0);
}

/** What looks like a mistake in the table. */
export function doubtsOf(plan: AssignmentResult): string[] {
  const { unknown_papers: unknown, unknown_examples: examples, unassigned_papers: left } = plan;
  const more = unknown > examples.length ? ", …" : "";
  return [
    unknown && `${counted(unknown, "paper")} in no run: ${examples.join(", ")}${more}`,
    left && `${counted(left, "paper")} of the newest run without an area chair`,
  ].filter((line) => line !== 0);
}

export function outcomeOf(result: AssignmentResult): string {
  return `${counted(result.area_chairs, "area chair")} with ${counted(result.papers, "paper")}.`;
}
