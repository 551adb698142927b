// Another name for a conference.
import { useState } from "react";

import { patch } from "../../api/client";
import { Dialog } from "../../components/Dialog";
import { Notice } from "../../components/Notice";
import { TextField } from "../../components/TextField";
import { useTask } from "../../app/useTask";

export function RenameConference({
  id,
  name,
  onClose,
  onDone,
}: {
  id: string;
  name: string;
  onClose(): void;
  onDone(): void;
}) {
  const [text, setText] = useState(name);
  const renaming = useTask();
  return (
    <Dialog title="Rename conference" onClose={onClose}>
      <form
        className="stack"
        onSubmit={async (event) => {
          event.preventDefault();
          if (!(await renaming.run(() => patch(`conferences/${id}`, { name: text.trim() }))))
            return;
          onClose();
          onDone();
        }}
      >
        <TextField label="Name" required maxLength={200} value={text} onChange={setText} />
        {renaming.problem && <Notice tone="bad">{renaming.problem}</Notice>}
        <div className="row">
          <button type="submit" className="button primary" disabled={renaming.busy || !text.trim()}>
            Rename
          </button>
        </div>
      </form>
    </Dialog>
  );
}
