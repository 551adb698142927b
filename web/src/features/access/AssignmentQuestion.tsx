// What an import of area chairs would change, shown before it is confirmed.
import { Button } from "../../components/buttons";
import type { AssignmentResult } from "../../api/types";
import { Dialog } from "../../components/Dialog";
import { ErrorNotice, Notice } from "../../components/Notice";
import { count, counted } from "../../domain/format";

export function AssignmentQuestion({
  plan,
  busy,
  error,
  onConfirm,
  onClose,
}: {
  plan: AssignmentResult;
  busy: boolean;
  error: Error | null;
  onConfirm(): void;
  onClose(): void;
}) {
  const changes = changesOf(plan);
  const doubts = doubtsOf(plan);
  return (
    <Dialog title="Replace the area chairs?" onClose={onClose}>
      <p>There will be {outcomeOf(plan)}</p>
      {changes.length > 0 ? (
        <ul className="lines" aria-label="Changes">
          {changes.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ) : (
        <p>Nobody comes or goes; only papers are assigned anew.</p>
      )}
      {doubts.length > 0 && (
        <Notice tone="warn">
          <ul className="lines">
            {doubts.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Notice>
      )}
      {plan.removed > 0 && (
        <p className="hint">
          Whoever is removed is shut out at once. Undo brings them back with their papers and links.
        </p>
      )}
      <ErrorNotice error={error} />
      <div className="row">
        <button
          type="button"
          className={plan.removed ? "button danger" : "button primary"}
          disabled={busy}
          onClick={onConfirm}
        >
          Replace
        </button>
        <Button onClick={onClose}>Change nothing</Button>
      </div>
    </Dialog>
  );
}

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
