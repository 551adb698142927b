// The fields of a new collection: where reviewers and papers come from, what is asked and allowed.
import { Checkbox, RadioCards, SelectField } from "../../components/choices";
import { FileButton, TextArea, TextField } from "../../components/fields";
import {
  instructionsFor,
  type CollectionForm,
  type FormChange,
  type FormMistakes,
} from "./collectionForm";
import type { ConferenceDetail } from "../../api/schema";
import { useUpload } from "../../app/queries";
import { ErrorNotice } from "../../components/Notice";
import { NAMED_SYSTEMS } from "../../domain/glossary";

const MODES = {
  list: {
    title: "A list to put in order",
    text: "Reviewers drag papers, or use keys or buttons. Best for up to some ten papers.",
  },
  pairs: {
    title: "Pairs, one question at a time",
    text: "“Which one is better?”, chosen so that few answers settle the order. For long lists; reviewers may stop at any time.",
  },
};

export function OptionChoices({
  form,
  mistakes,
  scored,
  onChange,
}: {
  form: CollectionForm;
  mistakes: FormMistakes;
  scored: boolean; // scores are known
  onChange(changes: FormChange): void;
}) {
  const { options } = form;
  const option = (name: "ties" | "may_skip" | "show_scores", label: string, disabled = false) => (
    <Checkbox
      checked={options[name] && !disabled}
      disabled={disabled}
      onChange={(checked) => onChange({ options: { ...options, [name]: checked } })}
    >
      {label}
    </Checkbox>
  );
  return (
    <>
      <RadioCards
        label="How reviewers rank"
        cards={MODES}
        value={options.mode ?? "list"}
        onChange={(mode) => onChange({ options: { ...options, mode } })}
      />
      <div className="stack tight">
        {option("ties", "“About the same” is allowed")}
        {option("may_skip", "“Cannot say” is allowed")}
        {option(
          "show_scores",
          "Show reviewers their own scores, and ask where their order contradicts them",
          !scored,
        )}
      </div>
      <div className="row top">
        {options.mode === "list" && (
          <TextField
            label="Only the best"
            look="narrow"
            inputMode="numeric"
            hint="papers; empty for all"
            value={form.best}
            onChange={(best) => onChange({ best })}
            mistake={mistakes.best}
          />
        )}
        <TextField
          label="Deadline"
          type="datetime-local"
          hint="in your time zone; empty for none"
          value={form.deadline}
          onChange={(deadline) => onChange({ deadline })}
          mistake={mistakes.deadline}
        />
      </div>
      <div className="field">
        <TextArea
          label="Instructions for reviewers"
          rows={4}
          maxLength={10_000}
          value={form.instructions ?? instructionsFor(form)}
          onChange={(instructions) => onChange({ instructions })}
        />
      </div>
    </>
  );
}

/** Where reviewers, papers and scores come from: a finished run, or files of the conference. */
export function SourceChoice({
  conference: { id, runs, files },
  form,
  onChange,
}: {
  conference: ConferenceDetail;
  form: CollectionForm;
  onChange(changes: FormChange): void;
}) {
  const finished = runs.filter((run) => run.status === "done" && !run.archived);
  const uploading = useUpload(id, true);
  const add = (chosen: File[]) =>
    uploading.mutate(chosen, {
      onSuccess: (made) =>
        onChange(({ files: others }) => ({
          from: "files",
          files: [...others, ...made.map((file) => file.id)],
        })),
    });
  const use = (file: string, on: boolean) =>
    onChange({ files: on ? [...form.files, file] : form.files.filter((each) => each !== file) });
  return (
    <div className="stack tight">
      <SelectField
        layout="row"
        label="Reviewers and papers from"
        options={[
          ...finished.map(({ id: run, name }) => [`run ${run}`, `the files of “${name}”`] as const),
          ["files", "files"],
        ]}
        value={form.from}
        onChange={(from) => onChange({ from })}
      />
      {form.from === "files" && (
        <>
          {files.map((file) => (
            <Checkbox
              key={file.id}
              checked={form.files.includes(file.id)}
              onChange={(checked) => use(file.id, checked)}
            >
              {file.name}
            </Checkbox>
          ))}
          <div className="row">
            <FileButton text="Add a file" multiple disabled={uploading.isPending} onFiles={add} />
            <span className="hint">
              Reviews or assignments as {NAMED_SYSTEMS} export them, or a table with the columns{" "}
              <code>reviewer</code>, <code>paper</code> and, if you have them, <code>email</code>,{" "}
              <code>title</code>, <code>score</code>.
            </span>
          </div>
          <ErrorNotice error={uploading.error} />
        </>
      )}
    </div>
  );
}
