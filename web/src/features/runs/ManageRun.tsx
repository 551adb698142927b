// Rename, archive, delete and share a run.
import { useState } from "react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { Checkbox, Toggle } from "../../components/choices";
import { Button } from "../../components/buttons";
import { api } from "../../api/client";
import type { RunSummary } from "../../api/types";
import { useChange, ownFilesQuery } from "../../app/queries";
import { Confirm, ConfirmButton, RenameButton } from "../../components/Dialog";
import { InlineError } from "../../components/Notice";

export function ManageRun({ run }: { run: RunSummary }) {
  const { id, name, shared, archived } = run;
  const [open, setOpen] = useState(false);
  const archiving = useChange((next: boolean) =>
    api.PATCH("/api/runs/{run}", { params: { path: { run: id } }, body: { archived: next } }),
  );
  const renaming = useChange((changed: string) =>
    api.PATCH("/api/runs/{run}", { params: { path: { run: id } }, body: { name: changed } }),
  );
  return (
    <div className="row" role="group" aria-label={`Manage ${name}`}>
      <RenameButton what="run" name={name} renaming={renaming} />
      {shared ? (
        <ConfirmButton
          text="Archive"
          look=""
          title={`Archive ${name}?`}
          action="Archive"
          changing={archiving}
          onConfirm={(close) => archiving.mutate(true, { onSuccess: close })}
        >
          Area chairs can see this run now and no longer will. You can bring it back and share it
          again.
        </ConfirmButton>
      ) : (
        <Button disabled={archiving.isPending} onClick={() => archiving.mutate(!archived)}>
          {archived ? "Bring back" : "Archive"}
        </Button>
      )}
      <Button look="danger" onClick={() => setOpen(true)}>
        Delete
      </Button>
      <InlineError error={archiving.error} />
      {open && <DeleteRun run={run} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Asks before a run is deleted, and says what is deleted with it and what stays. */
function DeleteRun({ run, onClose }: { run: RunSummary; onClose(): void }) {
  const { id, name, shared } = run;
  const [files, setFiles] = useState(false);
  const own = useQuery(ownFilesQuery(id)).data ?? [];
  const client = useQueryClient();
  const deleting = useMutation({
    mutationFn: () =>
      api.DELETE("/api/runs/{run}", { params: { path: { run: id }, query: { files } } }),
    // Not the queries of the run itself: it no longer exists.
    onSuccess: () => client.invalidateQueries({ queryKey: ["conferences"] }),
  });
  return (
    <Confirm
      title={`Delete ${name}?`}
      action="Delete for good"
      busy={deleting.isPending}
      error={deleting.error}
      onClose={onClose}
      onConfirm={() => deleting.mutate(undefined, { onSuccess: onClose })}
    >
      Its results are deleted. Decisions, tags, notes and the line stay: they belong to the
      conference. {shared && <strong>Area chairs can see this run now and will lose it. </strong>}
      This cannot be undone; archiving can.
      {own.length > 0 && (
        <Checkbox checked={files} onChange={setFiles}>
          Also delete {own.map((file) => file.name).join(", ")}, which no other run has read
        </Checkbox>
      )}
    </Confirm>
  );
}

/** The switch that lets area chairs open a run. */
export function ShareToggle({ run: { id, name, shared } }: { run: RunSummary }) {
  const sharing = useChange((next: boolean) =>
    api.PATCH("/api/runs/{run}", { params: { path: { run: id } }, body: { shared: next } }),
  );
  return (
    <>
      <Toggle label={`Share ${name} with area chairs`} checked={shared} change={sharing} />
      <InlineError error={sharing.error} />
    </>
  );
}
