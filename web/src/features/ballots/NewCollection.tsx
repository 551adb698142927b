// The form for a new collection: where the papers come from, what is asked, and what it will contain.
import { skipToken, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { Form, TextField } from "../../components/fields";
import { Button } from "../../components/buttons";
import type { CollectionPreview, ConferenceDetail } from "../../api/schema";
import { post } from "../../api/client";
import { useChange } from "../../app/queries";
import { useRoute } from "../../app/route";
import { ErrorNotice, Notice, QueryStatus } from "../../components/Notice";
import { counted } from "../../domain/format";
import { emptyForm, formMistakes, requestOf, sourceOf, type FormChange } from "./collectionForm";
import { OptionChoices, SourceChoice } from "./CollectionFields";

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
