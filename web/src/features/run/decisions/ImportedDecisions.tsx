// The offer to take over the decisions that came with the files.
import { counted } from "../../../domain/format";
import { importedLeft } from "../../../domain/decisions";
import { useRun } from "../context";
import type { MarkChange } from "./useMarkChange";

export function ImportedDecisions({ change }: { change: MarkChange }) {
  const { run } = useRun();
  const left = run.marks ? importedLeft(run) : 0;
  if (!left) return null;
  return (
    <p className="row no-print">
      <span className="hint">The files hold decisions that are not yours yet, shown pale.</span>
      <button
        type="button"
        className="button"
        disabled={change.busy}
        onClick={() => change.make("Taken from the import", (marking) => marking.takeImported())}
      >
        Take {counted(left, "decision")} from the import
      </button>
    </p>
  );
}
