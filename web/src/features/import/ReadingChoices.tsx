// How to read the files, for files that were not recognised or were misread.
import { Details } from "../../components/Card";
import { Checkbox, SelectField } from "../../components/choices";
import type { Check } from "../../api/schema";
import { DraftInput } from "../../components/fields";
import { DUPLICATES, INPUT_COLUMNS, MATCH_IDS, optionsIn } from "../../domain/glossary";
import { FORMATS, queryFor, SETTING_NAMES, type ImportForm } from "../../domain/importForm";

const TEXTS = [
  ["score_fields", "If reviews have several scores: the one to use. Put a fallback after “;”."],
  ["missing", "Values that mean none, such as “score=0; rank=99”; “rank=” if every value counts."],
  ["ranker", "HotCRP: the reviewer whose ranking it is, if the file does not name them."],
  ["encoding", "Of text files that are not UTF-8, such as cp1252."],
] as const;
const SWITCHES = ["keep_withdrawn", "count_drafts"] as const;
const NAMES = ["format", "duplicates", "match_ids", ...SWITCHES, ...TEXTS.map(([name]) => name)];

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
  const query = queryFor(form);
  const chosen = NAMES.some((name) => query[name]) || Object.keys(form.columns).length > 0;
  return (
    <Details wanted={open || chosen} className="card">
      <summary>How to read the files</summary>
      <div className="stack">
        <div className="fields">
          <SelectField
            layout="field"
            label={SETTING_NAMES.format}
            options={FORMATS}
            value={form.format}
            onChange={(format) => onChange({ format })}
          />
          {TEXTS.map(([name, hint]) => (
            <DraftInput
              key={name}
              label={SETTING_NAMES[name]}
              hint={hint}
              value={form[name]}
              onCommit={(text) => onChange({ [name]: text })}
            />
          ))}
          <SelectField
            layout="field"
            label={SETTING_NAMES.duplicates}
            hint="If a reviewer has several reviews of one paper."
            options={optionsIn(DUPLICATES)}
            value={form.duplicates}
            onChange={(duplicates) => onChange({ duplicates })}
          />
          <SelectField
            layout="field"
            label={SETTING_NAMES.match_ids}
            hint="If files write ids in different ways, such as 6 and Paper 6."
            options={optionsIn(MATCH_IDS)}
            value={form.match_ids}
            onChange={(match_ids) => onChange({ match_ids })}
          />
        </div>
        {SWITCHES.map((name) => (
          <Checkbox
            key={name}
            checked={form[name]}
            onChange={(checked) => onChange({ [name]: checked })}
          >
            {SETTING_NAMES[name]}
          </Checkbox>
        ))}
        <ColumnMapping
          columns={columns}
          chosen={form.columns}
          onChange={(mapped) => onChange({ columns: mapped })}
        />
      </div>
    </Details>
  );
}

const NO_COLUMN = "(none)";

/** Maps the columns of the files to those that unround knows. */
function ColumnMapping({
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
        Only for columns that were misread or not found: choose or type a column of your files, a
        rank tag or an invitation; {NO_COLUMN} for no column.
      </p>
      <div className="fields">
        {optionsIn(INPUT_COLUMNS).map(([ours, name]) => (
          <DraftInput
            key={ours}
            label={name}
            list="their-columns"
            placeholder="As recognised"
            value={chosen[ours] ?? ""}
            onCommit={(column) => map(ours, column)}
          />
        ))}
        <datalist id="their-columns">
          {[...theirs, NO_COLUMN].map((column) => (
            <option key={column} value={column} />
          ))}
        </datalist>
      </div>
    </fieldset>
  );
}
