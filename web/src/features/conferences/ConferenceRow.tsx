// One conference of the list.
import { useState } from "react";

import { remove, type Schemas } from "../../api/client";
import { Confirm } from "../../components/Confirm";
import { Time } from "../../components/Time";
import { Link } from "../../app/route";
import { RenameConference } from "./RenameConference";

export function ConferenceRow({
  conference: { id, name, runs, created },
  changed,
}: {
  conference: Schemas["ConferenceSummary"];
  changed(): void;
}) {
  const [open, setOpen] = useState<"rename" | "delete" | null>(null);
  const close = () => setOpen(null);
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
        {open === "rename" && (
          <RenameConference id={id} name={name} onClose={close} onDone={changed} />
        )}
        {open === "delete" && (
          <Confirm
            title={`Delete ${name}?`}
            action="Delete for good"
            onClose={close}
            onConfirm={async () => {
              await remove(`conferences/${id}`);
              changed();
            }}
          >
            Its files, all {runs} runs with their results, and every link go too. This cannot be
            undone.
          </Confirm>
        )}
      </td>
    </tr>
  );
}
