// Which of the files' columns is which of ours.
import { ColumnChoice } from "./ColumnChoice";
import { COLUMNS } from "../../domain/importForm";
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
  const theirs = [...new Set(columns.flatMap((file) => file.columns))];
  const map = (ours: string, column: string) => {
    const rest = Object.entries(chosen).filter(([name]) => name !== ours);
    onChange(Object.fromEntries(column ? [...rest, [ours, column]] : rest));
  };
  return (
    <fieldset className="bare stack tight">
      <legend className="label">Columns</legend>
      <p className="hint">
        Only where something was taken for something else, or not found. It may also be the name of
        a tag or an invitation.
      </p>
      <div className="fields">
        {COLUMNS.map(([ours, words]) => (
          <ColumnChoice
            key={ours}
            words={words}
            theirs={theirs}
            value={chosen[ours] ?? ""}
            onChange={(column) => map(ours, column)}
          />
        ))}
      </div>
    </fieldset>
  );
}
