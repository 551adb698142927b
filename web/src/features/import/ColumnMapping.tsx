// Maps the columns of the files to those that unround knows.
import { ColumnChoice } from "./ColumnChoice";
import type { Check } from "../../api/types";
import { INPUT_COLUMNS } from "../../domain/importForm";

export function ColumnMapping({
  columns,
  chosen,
  onChange,
}: {
  columns: Check["columns"];
  chosen: Record<string, string>;
  onChange(columns: Record<string, string>): void;
}) {
  const theirs = [...new Set(columns.flatMap((file) => file.columns))];
  const map = (ours: string, column: string) => {
    const rest = Object.entries(chosen).filter(([name]) => name !== ours);
    onChange(Object.fromEntries(column ? [...rest, [ours, column]] : rest));
  };
  return (
    <fieldset className="bare stack tight">
      <legend className="label">Columns</legend>
      <p className="hint">
        Only for columns that were misread or not found. A tag or an invitation may be named too.
      </p>
      <div className="fields">
        {INPUT_COLUMNS.map(([ours, name]) => (
          <ColumnChoice
            key={ours}
            name={name}
            theirs={theirs}
            value={chosen[ours] ?? ""}
            onChange={(column) => map(ours, column)}
          />
        ))}
      </div>
    </fieldset>
  );
}
