// The form that starts a run; while it cannot start, it says why.
import { useId } from "react";

import { ErrorNotice } from "../../components/Notice";
import { TextField } from "../../components/TextField";

export function StartRun({
  name,
  onName,
  reason,
  busy,
  error,
  onRun,
}: {
  name: string;
  onName(name: string): void;
  reason: string | null;
  busy: boolean;
  error: Error | null;
  onRun(): void;
}) {
  const reasonId = useId();
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
        hint="Such as “Before rebuttal”. The results of a run never change."
        value={name}
        onChange={onName}
      />
      <ErrorNotice error={error} />
      <div className="stack tight">
        <button
          type="submit"
          className="button primary run-button"
          disabled={reason !== null || busy}
          aria-describedby={reasonId}
        >
          Run
        </button>
        <span id={reasonId} role="status" className="hint">
          {reason ?? "It runs in the background: you may close this page."}
        </span>
      </div>
    </form>
  );
}
