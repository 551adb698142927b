// The form for a new collection: where reviewers and papers come from, what is asked, and what it will contain.
import { skipToken, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { Form, TextField, FileButton, TextArea } from "../../components/fields";
import { Button } from "../../components/buttons";
import type { CollectionPreview, ConferenceDetail } from "../../api/schema";
import { post } from "../../api/client";
import { useChange, useUpload } from "../../app/queries";
import { useRoute } from "../../app/route";
import { ErrorNotice, Notice, QueryStatus } from "../../components/Notice";
import { counted } from "../../domain/format";
import {
  emptyForm,
  formMistakes,
  requestOf,
  sourceOf,
  type FormChange,
  instructionsFor,
  type CollectionForm,
  type FormMistakes,
} from "./collectionForm";
import { Checkbox, RadioCards, SelectField } from "../../components/choices";
import { NAMED_SYSTEMS } from "../../domain/glossary";

export function NewCollection({
  conference,
  onClose,
}: {
  conference: ConferenceDetail;
  onClose(): void;
}) {
  const { go } = useRoute();
  const finished = conference.runs.find((run) => run.status === "done" && !run.archived);
  const [form, setForm] = useState(() => emptyForm(finished?.id));
  const [tried, setTried] = useState(false);
  const [now] = useState(() => Date.now());
  const source = sourceOf(form);
  const of = { conference: conference.id };
  const path = "/api/conferences/{conference}/collections/preview";
  const preview = useQuery({
    queryKey: [path, of, source],
    queryFn: source ? ({ signal }) => post(path, of, source, { signal }) : skipToken,
    staleTime: "static",
  });
  const making = useChange((request: ReturnType<typeof requestOf>) =>
    post("/api/conferences/{conference}/collections", of, request),
  );
  const mistakes = formMistakes(form, now);
  // An upload may end while the chair is typing: each change starts from the newest form.
  const change = (changes: FormChange) =>
    setForm((old) => ({ ...old, ...(typeof changes === "function" ? changes(old) : changes) }));
  return (
    <Form
      className="card stack"
      aria-label="New collection"
      noValidate
      onSubmit={() => {
        setTried(true);
        if (!source || Object.keys(mistakes).length) return;
        making.mutate(requestOf(form, source), {
          onSuccess: ({ id }) => go(`/c/${conference.id}/ballots/${id}`),
        });
      }}
    >
      <h2>New collection</h2>
      <SourceChoice conference={conference} form={form} onChange={change} />
      {source && <PreviewNotice query={preview} />}
      <TextField
        label="Title, as reviewers see it"
        look="name"
        maxLength={200}
        value={form.title}
        onChange={(title) => change({ title })}
        mistake={tried ? mistakes.title : undefined}
      />
      <OptionChoices
        form={form}
        mistakes={mistakes}
        scored={preview.data?.with_scores ?? true}
        onChange={change}
      />
      <ErrorNotice error={making.error} />
      <div className="row">
        <Button type="submit" look="primary" disabled={!preview.data?.ballots || making.isPending}>
          {preview.data ? `Make ${counted(preview.data.ballots, "ballot")}` : "Make ballots"}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
        <span className="soft">Nobody is notified yet: you make the links on the next page.</span>
      </div>
    </Form>
  );
}

/** What a collection would contain. */
function PreviewNotice({
  query,
}: {
  query: { data: CollectionPreview | undefined; error: Error | null; refetch(): unknown };
}) {
  const found = query.data;
  if (!found) return <QueryStatus query={query} what="Reading…" />;
  return (
    <Notice tone={found.ballots ? "info" : "bad"}>
      <p>{sentence(found)}</p>
      {found.too_short > 0 && (
        <p>
          No ballot for {counted(found.too_short, "reviewer")} with only one paper:{" "}
          {examples(found.too_short_examples, found.too_short)}.
        </p>
      )}
      {found.without_email > 0 && (
        <p>
          No e-mail address is known of {counted(found.without_email, "reviewer")}:{" "}
          {examples(found.without_email_examples, found.without_email)}. You can still make their
          links.
        </p>
      )}
      {found.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </Notice>
  );
}

/** "48 ballots for 48 reviewers, with 2 to 6 of 60 papers each, and the reviewers' scores." */
function sentence(found: CollectionPreview): string {
  if (!found.ballots) return "No reviewer has two papers or more: there is nothing to rank.";
  const sizes =
    found.fewest_papers === found.most_papers
      ? `${found.most_papers}`
      : `${found.fewest_papers} to ${found.most_papers}`;
  const scores = found.with_scores ? "and the scores they gave" : "and no scores";
  return `${counted(found.ballots, "ballot")}, with ${sizes} of ${counted(found.papers, "paper")} each, ${scores}.`;
}

function examples(names: string[], all: number): string {
  const more = all - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}

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

function OptionChoices({
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
      <TextArea
        label="Instructions for reviewers"
        rows={4}
        maxLength={10_000}
        value={form.instructions ?? instructionsFor(form)}
        onChange={(instructions) => onChange({ instructions })}
      />
    </>
  );
}

/** Where reviewers, papers and scores come from: a finished run, or files of the conference. */
function SourceChoice({
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
