// The name of the run, and the button; when it cannot start, why.
import { useId } from "react";

import { Notice } from "../../../parts/Notice";

export function StartRun({
  name,
  onName,
  reason,
  busy,
  problem,
  onRun,
}: {
  name: string;
  onName(name: string): void;
  reason: string | null;
  busy: boolean;
  problem: string | null;
  onRun(): void;
}) {
  const id = useId();
  return (
    <form
      className="card stack start-run"
      aria-label="Start a run"
      onSubmit={(event) => {
        event.preventDefault();
        if (!reason && !busy) onRun();
      }}
    >
      <div className="field">
        <label htmlFor={id}>Name of the run</label>
        <input
          id={id}
          className="input"
          maxLength={200}
          value={name}
          onChange={(event) => onName(event.target.value)}
        />
        <span className="hint">Such as “Before rebuttal”. Results never change once made.</span>
      </div>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <div className="stack tight">
        <button
          type="submit"
          className="button primary run-button"
          disabled={reason !== null || busy}
          aria-describedby={`${id}-reason`}
        >
          Run
        </button>
        <span id={`${id}-reason`} role="status" className="hint">
          {reason ?? "Runs in the background; you may close the page meanwhile."}
        </span>
      </div>
    </form>
  );
}
