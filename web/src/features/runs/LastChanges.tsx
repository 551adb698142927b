// The last changes of decisions, tags and notes of a conference, each with a button to undo it.
import { useState } from "react";

import { post } from "../../api/client";
import type { ChangeBatch } from "../../api/schema";
import { useChange, useGet } from "../../app/queries";
import { Button } from "../../components/buttons";
import { ErrorNotice, QueryStatus } from "../../components/Notice";
import { DataTable } from "../../components/DataTable";
import { Time } from "../../components/tables";
import { counted } from "../../domain/format";

export function LastChanges({ conference }: { conference: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Last changes of decisions, tags and notes</summary>
      {open && <Changes conference={conference} />}
    </details>
  );
}

function Changes({ conference }: { conference: string }) {
  const query = useGet("/api/conferences/{conference}/papers/changes", { conference });
  const undoing = useChange((batch: string) =>
    post("/api/conferences/{conference}/papers/undo", { conference }, { batch }),
  );
  if (!query.data) return <QueryStatus query={query} />;
  if (!query.data.length) return <p className="soft">No changes yet.</p>;
  return (
    <>
      <ErrorNotice error={undoing.error} />
      <DataTable
        label="Last changes"
        look="row-blocks"
        rows={query.data}
        keyOf={({ batch }) => batch}
        columns={[
          { head: "When", cell: ({ at }) => <Time at={at} />, look: "nowrap" },
          { head: "Who", cell: ({ who }) => who },
          { head: "What", cell: changeText },
        ]}
        actions={(change) =>
          change.undoable ? (
            <Button
              disabled={undoing.isPending}
              aria-label={`Undo ${changeText(change)}`}
              onClick={() => undoing.mutate(change.batch)}
            >
              {change.undoable < change.count ? `Undo ${change.undoable}` : "Undo"}
            </Button>
          ) : (
            <span className="soft">changed since</span>
          )
        }
      />
    </>
  );
}

/** "Reject: 1,500 papers", "tag late added: paper 7", "note: paper 12". */
export function changeText({ field, before, after, papers, count }: ChangeBatch): string {
  const which = count === 1 ? `paper ${papers[0]}` : counted(count, "paper");
  const [old, now] = [before.filter(Boolean), after.filter(Boolean)];
  if (field === "note") return `note ${now.length ? "written" : "removed"}: ${which}`;
  if (field === "tag") {
    const parts = [now.length && `+${now.join(" +")}`, old.length && `−${old.join(" −")}`];
    return `${parts.filter(Boolean).join(" ")}: ${which}`;
  }
  return `${now.join(", ") || "decision removed"}: ${which}`;
}
