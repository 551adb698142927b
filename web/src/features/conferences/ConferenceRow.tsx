// One conference of the list.
import { useState } from "react";

import { api } from "../../api/client";
import type { ConferenceSummary } from "../../api/types";
import { useChange } from "../../app/queries";
import { Link } from "../../app/route";
import { Confirm } from "../../components/Confirm";
import { Time } from "../../components/DefinitionList";
import { RenameConference } from "./RenameConference";

export function ConferenceRow({
  conference: { id, name, runs, created },
}: {
  conference: ConferenceSummary;
}) {
  const [open, setOpen] = useState<"rename" | "delete" | null>(null);
  const close = () => setOpen(null);
  const deleting = useChange(() =>
    api.DELETE("/api/conferences/{conference}", { params: { path: { conference: id } } }),
  );
  return (
    <tr>
      <td>
        <Link to={runs ? `/c/${id}/runs` : `/c/${id}`} className="strong">
          {name}
        </Link>
      </td>
      <td className="number">{runs}</td>
      <td>
        <Time at={created} day />
      </td>
      <td className="actions">
        <button
          type="button"
          className="button quiet"
          onClick={() => setOpen("rename")}
          aria-label={`Rename ${name}`}
        >
          Rename
        </button>
        <button
          type="button"
          className="button quiet danger"
          onClick={() => setOpen("delete")}
          aria-label={`Delete ${name}`}
        >
          Delete
        </button>
        {open === "rename" && <RenameConference id={id} name={name} onClose={close} />}
        {open === "delete" && (
          <Confirm
            title={`Delete ${name}?`}
            action="Delete for good"
            busy={deleting.isPending}
            error={deleting.error}
            onClose={close}
            onConfirm={() => deleting.mutate(undefined, { onSuccess: close })}
          >
            Its files, all {runs} runs with their results, and every link are deleted too. This
            cannot be undone.
          </Confirm>
        )}
      </td>
    </tr>
  );
}
