// The question before a run is deleted: what goes with it, and what stays.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { api } from "../../api/client";
import type { RunSummary } from "../../api/types";
import { ownFilesQuery } from "../../app/queries";
import { Confirm } from "../../components/Confirm";

export function DeleteRun({ run, onClose }: { run: RunSummary; onClose(): void }) {
  const { id, name, shared } = run;
  const [files, setFiles] = useState(false);
  const own = useQuery(ownFilesQuery(id)).data ?? [];
  const client = useQueryClient();
  const deleting = useMutation({
    mutationFn: () =>
      api.DELETE("/api/runs/{run}", { params: { path: { run: id }, query: { files } } }),
    // The run itself is not asked for again: it is gone.
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
      Its results and its line are deleted. Decisions, tags and notes stay: they belong to the
      conference. {shared && <strong>Area chairs see this run now and lose it. </strong>}
      This cannot be undone; archiving can.
      {own.length > 0 && (
        <label className="check-line">
          <input
            type="checkbox"
            checked={files}
            onChange={(event) => setFiles(event.target.checked)}
          />
          Also delete {own.map((file) => file.name).join(", ")}, which no other run has read
        </label>
      )}
    </Confirm>
  );
}
