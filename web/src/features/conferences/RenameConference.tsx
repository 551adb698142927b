// The dialog that renames a conference.
import { api } from "../../api/client";
import { useChange } from "../../app/queries";
import { RenameDialog } from "../../components/RenameDialog";

interface Props {
  id: string;
  name: string;
  onClose(): void;
}

export function RenameConference({ id, name, onClose }: Props) {
  const renaming = useChange((changed: string) =>
    api.PATCH("/api/conferences/{conference}", {
      params: { path: { conference: id } },
      body: { name: changed },
    }),
  );
  return (
    <RenameDialog
      what="conference"
      name={name}
      busy={renaming.isPending}
      error={renaming.error}
      onRename={(changed) => renaming.mutate(changed, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
