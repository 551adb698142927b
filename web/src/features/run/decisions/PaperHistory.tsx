// Who changed a paper's marks, and when; fetched when it is opened.
import { useEffect, useState } from "react";

import { wordsOf } from "../../../api/errors";
import type { PaperChange } from "../../../api/types";
import { Time } from "../../../components/Time";
import type { Marking } from "../context";

export function PaperHistory({
  id,
  version,
  marking,
}: {
  id: string;
  version: number; // of the marks
  marking: Marking;
}) {
  const [open, setOpen] = useState(false);
  const [changes, setChanges] = useState<PaperChange[] | string | null>(null);
  useEffect(() => {
    if (!open) return;
    let current = true;
    const put = (found: PaperChange[] | string) => current && setChanges(found);
    marking.history(id).then(put, (failure: Error) => put(wordsOf(failure)));
    return () => {
      current = false;
    };
  }, [open, id, version, marking]);
  return (
    <details className="paper-history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>History</summary>
      {typeof changes === "string" && <p className="bad-text">{changes}</p>}
      {Array.isArray(changes) && !changes.length && <p className="hint">No changes yet.</p>}
      {Array.isArray(changes) && (
        <ul>
          {changes.map((change, place) => (
            <li key={place}>
              <Time at={change.at} /> <span className="soft">{change.who}:</span> {inWords(change)}
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

function inWords({ field, before, after }: PaperChange): string {
  if (field === "tag") return after ? `tag ${after} added` : `tag ${before} removed`;
  if (field === "note") return after ? `note: “${after}”` : "note removed";
  if (!after) return `decision ${before} taken away`;
  return before ? `${before} → ${after}` : after;
}
