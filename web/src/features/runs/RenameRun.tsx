// The dialog that renames a run.
import { api } from "../../api/client";
import { useChange } from "../../app/queries";
import { RenameDialog } from "../../components/RenameDialog";

export function RenameRun({ id, name, onClose }: { id: string; name: string; onClose(): void }) {
  const renaming = useChange((changed: string) =>
    api.PATCH("/api/runs/{run}", { params: { path: { run: id } }, body: { name: changed } }),
  );
  return (
    <RenameDialog
      what="run"
      name={name}
      busy={renaming.isPending}
      error={renaming.error}
      onRename={(changed) => renaming.mutate(changed, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
