// The dialog that renames a run.
import { useState } from "react";

import { api } from "../../api/client";
import { useChange } from "../../app/queries";
import { Dialog } from "../../components/Dialog";
import { ErrorNotice } from "../../components/Notice";
import { TextField } from "../../components/TextField";

export function RenameRun({ id, name, onClose }: { id: string; name: string; onClose(): void }) {
  const [text, setText] = useState(name);
  const renaming = useChange(() =>
    api.PATCH("/api/runs/{run}", { params: { path: { run: id } }, body: { name: text.trim() } }),
  );
  return (
    <Dialog title="Rename run" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          renaming.mutate(undefined, { onSuccess: onClose });
        }}
      >
        <TextField label="Name" required maxLength={200} value={text} onChange={setText} />
        <ErrorNotice error={renaming.error} />
        <div className="row">
          <button
            type="submit"
            className="button primary"
            disabled={renaming.isPending || !text.trim()}
          >
            Rename
          </button>
        </div>
      </form>
    </Dialog>
  );
}
