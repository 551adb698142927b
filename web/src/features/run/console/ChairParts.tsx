// Parts of a run's pages that chairs alone have: the history of a paper, and views saved under a name.
import { useState } from "react";

import { post, remove } from "../../../api/client";
import type { PaperChange } from "../../../api/schema";
import { useChange, useGet } from "../../../app/queries";
import { useRoute } from "../../../app/route";
import { MenuItem } from "../../../components/buttons";
import { ErrorNotice, QueryStatus } from "../../../components/Notice";
import { Time } from "../../../components/tables";
import { writeAccept, type TableState } from "../../../domain/tableState";
import { useRun } from "../context";
import { NameForm } from "../decisions/NameForm";
import { useTable } from "../useTable";

/** Who changed a paper's marks, and when; fetched when it is opened. */
export function PaperHistory({ conference, paper }: { conference: string; paper: string }) {
  const [open, setOpen] = useState(false);
  const path = "/api/conferences/{conference}/papers/history";
  const query = useGet(path, open ? { conference, paper } : null);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>History</summary>
      {open && <QueryStatus query={query} />}
      {query.data?.length === 0 && <p className="hint">No changes yet.</p>}
      <ul className="bare">
        {query.data?.map((change, index) => (
          <li key={index}>
            <Time at={change.at} /> <span className="soft">{change.who}:</span> {inWords(change)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function inWords({ field, before, after }: PaperChange): string {
  if (field === "tag") return after ? `tag ${after} added` : `tag ${before} removed`;
  if (field === "note") return after ? `note: “${after}”` : "note removed";
  if (!after) return `decision ${before} removed`;
  return before ? `${before} → ${after}` : after;
}

const VIEWS = "/api/conferences/{conference}/views";

/** Views: sorting, filters, columns, numbers and line, saved under a name. */
export function SavedViews({ conference }: { conference: string }) {
  const { base } = useRun();
  const { state } = useTable();
  const { query, go } = useRoute();
  const { data: views = [] } = useGet(VIEWS, { conference });
  const saving = useChange((name: string) =>
    post(VIEWS, { conference }, { name, query: viewQuery(query, state) }),
  );
  const deleting = useChange((view: string) =>
    remove("/api/conferences/{conference}/views/{view}", { conference, view }),
  );
  return (
    <fieldset className="bare">
      <legend className="hint">Saved views</legend>
      {views.map(({ id, name, query: saved }) => (
        <div key={id} className="views-menu-row">
          <MenuItem onClick={() => go(saved ? `${base}?${saved}` : base)}>{name}</MenuItem>
          <MenuItem
            stays
            aria-label={`Delete the view ${name}`}
            onClick={() => deleting.mutate(id)}
          >
            <span aria-hidden="true">×</span>
          </MenuItem>
        </div>
      ))}
      {!views.length && <p className="hint">No saved views yet.</p>}
      <NameForm label="Save what is shown as" action="Save" stays onName={saving.mutate} />
      <ErrorNotice error={saving.error ?? deleting.error} />
    </fieldset>
  );
}

/** Parameters that are not saved with a view. */
const TRANSIENT = ["open", "as"];

/** The query to save: without transient parameters, and with the line even if only the run has it. */
function viewQuery(query: URLSearchParams, { accept }: TableState): string {
  const saved = new URLSearchParams(query);
  for (const name of TRANSIENT) saved.delete(name);
  for (const [name, value] of Object.entries(accept ? writeAccept(accept) : {}))
    if (value) saved.set(name, value);
  return saved.toString();
}
