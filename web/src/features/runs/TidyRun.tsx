// Rename, archive and delete a run.
import { useState } from "react";

import { api } from "../../api/client";
import type { RunSummary } from "../../api/types";
import { useChange } from "../../app/queries";
import { Confirm } from "../../components/Confirm";
import { ErrorLine } from "../../components/Notice";
import { DeleteRun } from "./DeleteRun";
import { RenameRun } from "./RenameRun";

export function TidyRun({ run }: { run: RunSummary }) {
  const { id, name, shared, archived } = run;
  const [open, setOpen] = useState<"rename" | "archive" | "delete" | null>(null);
  const close = () => setOpen(null);
  const archiving = useChange((next: boolean) =>
    api.PATCH("/api/runs/{run}", { params: { path: { run: id } }, body: { archived: next } }),
  );
  return (
    <div className="row" role="group" aria-label={`Tidy ${name}`}>
      <button type="button" className="button" onClick={() => setOpen("rename")}>
        Rename
      </button>
      <button
        type="button"
        className="button"
        disabled={archiving.isPending}
        onClick={() => (shared ? setOpen("archive") : archiving.mutate(!archived))}
      >
        {archived ? "Bring back" : "Archive"}
      </button>
      <button type="button" className="button danger" onClick={() => setOpen("delete")}>
        Delete
      </button>
      <ErrorLine error={archiving.error} />
      {open === "rename" && <RenameRun id={id} name={name} onClose={close} />}
      {open === "delete" && <DeleteRun run={run} onClose={close} />}
      {open === "archive" && (
        <Confirm
          title={`Archive ${name}?`}
          action="Archive"
          busy={archiving.isPending}
          error={archiving.error}
          onClose={close}
          onConfirm={() => archiving.mutate(true, { onSuccess: close })}
        >
          Area chairs see this run now, and will not any more. You can bring it back and share it
          again.
        </Confirm>
      )}
    </div>
  );
}
