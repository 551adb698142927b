// How to read the files, for files that were not recognised or were misread.
import { useId } from "react";

import type { Check } from "../../api/types";
import { DraftInput } from "../../components/DraftInput";
import { ColumnMapping } from "./ColumnMapping";
import { DUPLICATES, FORMATS, MATCH_IDS, type ImportForm } from "../../domain/importForm";

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
  const chosen =
    form.format !== "auto" ||
    form.duplicates !== "refuse" ||
    form.matchIds !== "certain" ||
    Boolean(form.scoreFields || form.ranker || form.encoding || Object.keys(form.columns).length);
  return (
    // Opens by itself when columns are missing; the reader may open and close it at any time.
    <details key={String(open || chosen)} open={open || chosen} className="card">
      <summary>How to read the files</summary>
      <div className="stack">
        <div className="fields">
          <Choice
            label="Format"
            choices={FORMATS}
            value={form.format}
            onChange={(format) => onChange({ format })}
          />
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
          <Choice
            label="Duplicates"
            hint="If a reviewer has several reviews of one paper."
            choices={DUPLICATES}
            value={form.duplicates}
            onChange={(duplicates) => onChange({ duplicates })}
          />
          <Choice
            label="Match ids"
            hint="If files write ids in different ways, such as 6 and Paper 6."
            choices={MATCH_IDS}
            value={form.matchIds}
            onChange={(matchIds) => onChange({ matchIds })}
          />
          <DraftInput
            label="Encoding"
            hint="Of text files that are not UTF-8, such as cp1252."
            value={form.encoding}
            onCommit={(encoding) => onChange({ encoding })}
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

function Choice<T extends string>({
  label,
  hint,
  choices,
  value,
  onChange,
}: {
  label: string;
  hint?: string;
  choices: readonly (readonly [T, string])[];
  value: T;
  onChange(value: T): void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="select"
        value={value}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onChange(event.target.value as T)}
      >
        {choices.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
      {hint && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
    </div>
  );
}
