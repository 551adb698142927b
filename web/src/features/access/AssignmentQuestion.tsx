// What an import of area chairs would change, before it does.
import type { AssignmentResult } from "../../api/types";
import { Dialog } from "../../components/Dialog";
import { ErrorNotice, Notice } from "../../components/Notice";
import { changesOf, doubtsOf, outcomeOf } from "./assignmentWords";

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
        <button type="button" className="button" onClick={onClose}>
          Change nothing
        </button>
      </div>
    </Dialog>
  );
}
