// The dialog that changes when a link expires: now, on a day, or never.
import { useState } from "react";

import { api } from "../../api/client";
import type { AccessLink } from "../../api/types";
import { useChange } from "../../app/queries";
import { Dialog } from "../../components/Dialog";
import { ErrorNotice } from "../../components/Notice";
import { TextField } from "../../components/TextField";
import { dayOf, endOfDay } from "./links";

export function ExpiryDialog({ link, onClose }: { link: AccessLink; onClose(): void }) {
  const [day, setDay] = useState(dayOf(link.expires));
  const changing = useChange((expires: string | null) =>
    api.PATCH("/api/links/{link}", { params: { path: { link: link.id } }, body: { expires } }),
  );
  const change = (expires: string | null) => changing.mutate(expires, { onSuccess: onClose });
  return (
    <Dialog title="When the link expires" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          change(endOfDay(day));
        }}
      >
        <TextField
          label="Last day"
          type="date"
          hint="Leave it empty for a link that never expires."
          value={day}
          onChange={setDay}
        />
        <ErrorNotice error={changing.error} />
        <div className="row">
          <button type="submit" className="button primary" disabled={changing.isPending}>
            Save
          </button>
          <button
            type="button"
            className="button"
            disabled={changing.isPending}
            onClick={() => change(new Date().toISOString())}
          >
            Expire now
          </button>
        </div>
      </form>
    </Dialog>
  );
}
