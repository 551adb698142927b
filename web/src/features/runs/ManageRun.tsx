// Rename, archive, delete and share a run.
import { useState, type ComponentProps } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { Checkbox, Toggle } from "../../components/choices";
import { Button } from "../../components/buttons";
import { patch, remove } from "../../api/client";
import type { RunSummary } from "../../api/schema";
import { OF_CONFERENCES, useChange, useGet } from "../../app/queries";
import { ConfirmButton, RenameButton } from "../../components/Dialog";
import { ErrorNotice } from "../../components/Notice";

export function ManageRun({ run }: { run: RunSummary }) {
  const { id, name, shared, archived } = run;
  const archiving = useChange((next: boolean) =>
    patch("/api/runs/{run}", { run: id }, { archived: next }),
  );
  const renaming = useChange((changed: string) =>
    patch("/api/runs/{run}", { run: id }, { name: changed }),
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
          input={true}
        >
          Area chairs can see this run now and no longer will. You can bring it back and share it
          again.
        </ConfirmButton>
      ) : (
        <Button disabled={archiving.isPending} onClick={() => archiving.mutate(!archived)}>
          {archived ? "Bring back" : "Archive"}
        </Button>
      )}
      <DeleteRun run={run} />
      <ErrorNotice error={archiving.error} />
    </div>
  );
}

/** Asks before a run is deleted, and says what is deleted with it and what stays. */
function DeleteRun({ run: { id, name, shared } }: { run: RunSummary }) {
  const [files, setFiles] = useState(false);
  const client = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => remove("/api/runs/{run}", { run: id, files }),
    // Not the queries of the run itself: it no longer exists.
    onSuccess: () => client.invalidateQueries(OF_CONFERENCES),
  });
  return (
    <ConfirmButton
      text="Delete"
      look="danger"
      title={`Delete ${name}?`}
      action="Delete for good"
      changing={deleting}
      input={undefined}
    >
      Its results are deleted. Decisions, tags, notes and the line stay: they belong to the
      conference. {shared && <strong>Area chairs can see this run now and will lose it. </strong>}
      This cannot be undone; archiving can.
      <OwnFiles run={id} checked={files} onChange={setFiles} />
    </ConfirmButton>
  );
}

/** The choice to delete the files that the run alone has read. */
function OwnFiles({
  run,
  ...choice
}: { run: string } & Pick<ComponentProps<typeof Checkbox>, "checked" | "onChange">) {
  const { data = [] } = useGet("/api/runs/{run}/own-files", { run });
  const names = data.map(({ name }) => name).join(", ");
  return names && <Checkbox {...choice}>Also delete {names}, which no other run has read</Checkbox>;
}

/** The switch that lets area chairs open a run. */
export function ShareToggle({ run: { id, name, shared } }: { run: RunSummary }) {
  const sharing = useChange((next: boolean) =>
    patch("/api/runs/{run}", { run: id }, { shared: next }),
  );
  return (
    <>
      <Toggle label={`Share ${name} with area chairs`} checked={shared} change={sharing} />
      <ErrorNotice error={sharing.error} />
    </>
  );
}
