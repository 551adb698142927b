// Another name for a conference.
import { useId, useState } from "react";

import { patch } from "../../api/client";
import { Dialog } from "../../parts/Dialog";
import { Notice } from "../../parts/Notice";
import { useTask } from "../../state/useTask";

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
  const field = useId();
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
        <div className="field">
          <label htmlFor={field}>Name</label>
          <input
            id={field}
            className="input"
            required
            maxLength={200}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
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
