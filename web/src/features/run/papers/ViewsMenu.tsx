// Menus of the table: saved views (sorting, filters, columns, mode and line under a name), and columns.
import { useState } from "react";

import { Checkbox } from "../../../components/choices";
import { MenuItem, Menu } from "../../../components/buttons";
import { wordsOf } from "../../../api/errors";
import { useRoute } from "../../../app/route";
import { writeAccept, writeColumns } from "../../../domain/tableState";
import { useRun } from "../context";
import { OwnWord } from "../decisions/OwnWord";
import type { Table } from "../useTable";
import { COLUMN_NAMES, columnsOf, type Column } from "../../../domain/columns";

/** Parameters that belong to the visit and not to the view. */
const PASSING = ["open", "as"];

export function ViewsMenu({ table }: { table: Table }) {
  const { base, actions } = useRun();
  const { query, go } = useRoute();
  const [error, setError] = useState<string | null>(null);
  const { views } = actions;
  if (!views) return null;
  const attempt = async (change: Promise<void>) => {
    setError(null);
    await change.catch((failure: Error) => setError(wordsOf(failure)));
  };
  return (
    <Menu text="Views">
      {(close) => (
        <>
          {views.saved.map(({ id, name, query: saved }) => (
            <div key={id} className="views-menu-row">
              <MenuItem
                onClick={() => {
                  go(`${base || "/"}${saved && `?${saved}`}`);
                  close();
                }}
              >
                {name}
              </MenuItem>
              <MenuItem
                aria-label={`Delete the view ${name}`}
                onClick={() => void attempt(views.remove(id))}
              >
                <span aria-hidden="true">×</span>
              </MenuItem>
            </div>
          ))}
          {!views.saved.length && <p className="hint">No saved views yet.</p>}
          <OwnWord
            label="Save what is shown as"
            action="Save"
            onWord={(name) => void attempt(views.save(name, viewQuery(query, table)))}
          />
          {error && (
            <p className="hint" role="alert">
              {error}
            </p>
          )}
        </>
      )}
    </Menu>
  );
}

/** The address without what is passing, and with the line where it is kept with the run alone. */
function viewQuery(query: URLSearchParams, { state }: Table): string {
  const saved = new URLSearchParams(query);
  for (const name of PASSING) saved.delete(name);
  for (const [name, value] of Object.entries(state.accept ? writeAccept(state.accept) : {}))
    if (value) saved.set(name, value);
  return saved.toString();
}

/** The menu that shows and hides columns. The paper's number is always shown. */
export function ColumnsMenu({ table }: { table: Table }) {
  const { run } = useRun();
  const { query } = useRoute();
  const { mode, columns, accept } = table.state;
  const known = columnsOf(run, mode, accept);
  const toggle = (column: Column) => {
    const shown = columns.includes(column)
      ? columns.filter((other) => other !== column)
      : [...columns, column];
    table.show(writeColumns(run, shown, known, query));
  };
  return (
    <Menu text="Columns">
      {known.map((column) => (
        <Checkbox
          key={column}
          checked={columns.includes(column)}
          disabled={column === "paper"}
          onChange={() => toggle(column)}
        >
          {COLUMN_NAMES[column]}
        </Checkbox>
      ))}
    </Menu>
  );
}
