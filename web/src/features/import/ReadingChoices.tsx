// How to read the files, for files that were not recognised or were misread.
import { useId } from "react";

import type { Check } from "../../api/types";
import { DraftInput } from "../../components/DraftInput";
import { ColumnMapping } from "./ColumnMapping";
import { FORMATS, type ImportForm } from "../../domain/importForm";

export function ReadingChoices({
  form,
  columns,
  open,
  onChange,
}: {
  form: ImportForm;
  columns: Check["columns"];
  open: boolean;
  onChange(changes: Partial<ImportForm>): void;
}) {
  const format = useId();
  const chosen =
    form.format !== "auto" ||
    Boolean(form.scoreFields || form.ranker || Object.keys(form.columns).length);
  return (
    // Opens by itself when columns are missing; the reader may open and close it at any time.
    <details key={String(open || chosen)} open={open || chosen} className="card">
      <summary>How to read the files</summary>
      <div className="stack">
        <div className="fields">
          <div className="field">
            <label htmlFor={format}>Format</label>
            <select
              id={format}
              className="select"
              value={form.format}
              onChange={(event) => onChange({ format: event.target.value as ImportForm["format"] })}
            >
              {FORMATS.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </div>
          <DraftInput
            label="Score field"
            hint="If reviews have several scores: the one to use. Put a fallback after “;”."
            value={form.scoreFields}
            onCommit={(scoreFields) => onChange({ scoreFields })}
          />
          <DraftInput
            label="Ranker"
            hint="HotCRP: the reviewer whose ranking it is, if the file does not name them."
            value={form.ranker}
            onCommit={(ranker) => onChange({ ranker })}
          />
        </div>
        <ColumnMapping
          columns={columns}
          chosen={form.columns}
          onChange={(mapped) => onChange({ columns: mapped })}
        />
      </div>
    </details>
  );
}
