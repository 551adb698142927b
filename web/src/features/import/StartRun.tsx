// The name of the run, and the button; when it cannot start, why.
import { useId } from "react";

import { Notice } from "../../components/Notice";
import { TextField } from "../../components/TextField";

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
  const why = useId();
  return (
    <form
      className="card stack start-run"
      aria-label="Start a run"
      onSubmit={(event) => {
        event.preventDefault();
        if (!reason && !busy) onRun();
      }}
    >
      <TextField
        label="Name of the run"
        maxLength={200}
        hint="Such as “Before rebuttal”. Results never change once made."
        value={name}
        onChange={onName}
      />
      {problem && <Notice tone="bad">{problem}</Notice>}
      <div className="stack tight">
        <button
          type="submit"
          className="button primary run-button"
          disabled={reason !== null || busy}
          aria-describedby={why}
        >
          Run
        </button>
        <span id={why} role="status" className="hint">
          {reason ?? "Runs in the background; you may close the page meanwhile."}
        </span>
      </div>
    </form>
  );
}
