// Where reviewers, papers and scores come from: a finished run, or files of the conference.
import { useId } from "react";

import { Checkbox } from "../../components/choices";
import { upload } from "../../api/files";
import type { Conference } from "../../api/types";
import { useChange } from "../../app/queries";
import { ErrorNotice } from "../../components/Notice";
import { NAMED_SYSTEMS } from "../../domain/glossary";
import type { CollectionForm, FormChange } from "./collectionForm";

export function SourceChoice({
  conference: { id, runs, files },
  form,
  onChange,
}: {
  conference: Conference;
  form: CollectionForm;
  onChange(changes: FormChange): void;
}) {
  const field = useId();
  const finished = runs.filter((run) => run.status === "done" && !run.archived);
  const uploading = useChange((chosen: File[]) => upload(id, chosen, () => {}));
  const add = (chosen: File[]) => {
    if (!chosen.length) return;
    uploading.mutate(chosen, {
      onSuccess: (made) =>
        onChange(({ files: others }) => ({
          from: "files",
          files: [...others, ...made.map((file) => file.id)],
        })),
    });
  };
  const use = (file: string, on: boolean) =>
    onChange({ files: on ? [...form.files, file] : form.files.filter((each) => each !== file) });
  return (
    <div className="stack tight">
      <div className="row">
        <label htmlFor={`${field}-from`} className="label">
          Reviewers and papers from
        </label>
        <select
          id={`${field}-from`}
          className="select"
          value={form.from}
          onChange={(event) => onChange({ from: event.target.value })}
        >
          {finished.map((run) => (
            <option key={run.id} value={`run ${run.id}`}>
              the files of “{run.name}”
            </option>
          ))}
          <option value="files">files</option>
        </select>
      </div>
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
            <label className="button file-button" htmlFor={`${field}-file`}>
              Add a file
            </label>
            <input
              id={`${field}-file`}
              type="file"
              className="visually-hidden"
              multiple
              disabled={uploading.isPending}
              onChange={(event) => {
                add([...(event.target.files ?? [])]);
                event.target.value = "";
              }}
            />
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
