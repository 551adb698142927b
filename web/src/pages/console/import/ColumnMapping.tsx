// Which of the files' columns is which of ours.
import { useId } from "react";

import { COLUMNS } from "./settings";
import type { Check } from "./useCheck";

export function ColumnMapping({
  columns,
  chosen,
  onChange,
}: {
  columns: Check["columns"];
  chosen: Record<string, string>;
  onChange(columns: Record<string, string>): void;
}) {
  const id = useId();
  const theirs = [...new Set(columns.flatMap((file) => file.columns))];
  if (!theirs.length && !Object.keys(chosen).length) return null;
  const map = (ours: string, column: string) => {
    const rest = Object.entries(chosen).filter(([name]) => name !== ours);
    onChange(Object.fromEntries(column ? [...rest, [ours, column]] : rest));
  };
  return (
    <fieldset className="bare stack tight">
      <legend className="label">Columns</legend>
      <p className="hint">
        Only where a column was taken for something else or not found:{" "}
        {columns.map((file) => `${file.name} has ${file.columns.join(", ")}`).join("; ")}.
      </p>
      <div className="fields">
        {COLUMNS.map(([ours, words]) => (
          <div className="field" key={ours}>
            <label htmlFor={id + ours}>{words}</label>
            <select
              id={id + ours}
              className="select"
              value={chosen[ours] ?? ""}
              onChange={(event) => map(ours, event.target.value)}
            >
              <option value="">As recognised</option>
              {[...new Set([...theirs, ...(chosen[ours] ? [chosen[ours]] : [])])].map((column) => (
                <option key={column} value={column}>
                  {column}
                </option>
              ))}
            </select>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
