// Another end for a link: now, on a day, or never.
import { useState } from "react";

import { patch } from "../../api/client";
import { Dialog } from "../../components/Dialog";
import { Notice } from "../../components/Notice";
import { TextField } from "../../components/TextField";
import { useTask } from "../../app/useTask";
import { dayOf, endOfDay, type Link } from "./links";

export function ExpiryDialog({
  link,
  onClose,
  onDone,
}: {
  link: Link;
  onClose(): void;
  onDone(): void;
}) {
  const [day, setDay] = useState(dayOf(link.expires));
  const changing = useTask();
  const change = async (expires: string | null) => {
    if (!(await changing.run(() => patch(`links/${link.id}`, { expires })))) return;
    onClose();
    onDone();
  };
  return (
    <Dialog title="When the link ends" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void change(endOfDay(day));
        }}
      >
        <TextField
          label="Last day"
          type="date"
          hint="Empty: the link never ends."
          value={day}
          onChange={setDay}
        />
        {changing.problem && <Notice tone="bad">{changing.problem}</Notice>}
        <div className="row">
          <button type="submit" className="button primary" disabled={changing.busy}>
            Save
          </button>
          <button
            type="button"
            className="button"
            disabled={changing.busy}
            onClick={() => change(new Date().toISOString())}
          >
            Expire now
          </button>
        </div>
      </form>
    </Dialog>
  );
}
