// How to read the files, for when it was not recognised or not as meant.
import { useId } from "react";

import { DraftInput } from "../../components/DraftInput";
import { ColumnMapping } from "./ColumnMapping";
import { FORMATS, type Settings } from "../../domain/importForm";
import type { Check } from "./useCheck";

export function ReadingChoices({
  settings,
  columns,
  open,
  onChange,
}: {
  settings: Settings;
  columns: Check["columns"];
  open: boolean;
  onChange(changes: Partial<Settings>): void;
}) {
  const format = useId();
  const chosen =
    settings.format !== "auto" ||
    Boolean(settings.scoreFields || settings.ranker || Object.keys(settings.columns).length);
  return (
    // Opened by the page when columns are missing; the reader may open and close it at any time.
    <details key={String(open || chosen)} open={open || chosen} className="card">
      <summary>How to read the files</summary>
      <div className="stack">
        <div className="fields">
          <div className="field">
            <label htmlFor={format}>Format</label>
            <select
              id={format}
              className="select"
              value={settings.format}
              onChange={(event) => onChange({ format: event.target.value as Settings["format"] })}
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
            hint="If reviews have several scores: the one that counts. A fallback after “;”."
            value={settings.scoreFields}
            onCommit={(scoreFields) => onChange({ scoreFields })}
          />
          <DraftInput
            label="Ranker"
            hint="HotCRP: whose ranking it is, when the file does not say."
            value={settings.ranker}
            onCommit={(ranker) => onChange({ ranker })}
          />
        </div>
        <ColumnMapping
          columns={columns}
          chosen={settings.columns}
          onChange={(mapped) => onChange({ columns: mapped })}
        />
      </div>
    </details>
  );
}
