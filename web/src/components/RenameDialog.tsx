// The dialog that gives something another name.
import { useState } from "react";

import { Dialog } from "./Dialog";
import { ErrorNotice } from "./Notice";
import { TextField } from "./TextField";

interface Props {
  what: string;
  name: string;
  busy: boolean;
  error: Error | null;
  onRename(name: string): void;
  onClose(): void;
}

export function RenameDialog({ what, name, busy, error, onRename, onClose }: Props) {
  const [text, setText] = useState(name);
  return (
    <Dialog title={`Rename ${what}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onRename(text.trim());
        }}
      >
        <TextField label="Name" required maxLength={200} value={text} onChange={setText} />
        <ErrorNotice error={error} />
        <div className="row">
          <button type="submit" className="button primary" disabled={busy || !text.trim()}>
            Rename
          </button>
        </div>
      </form>
    </Dialog>
  );
}
