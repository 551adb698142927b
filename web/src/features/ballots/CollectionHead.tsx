// A collection: its title, until when it is open, closing, reopening and changing it, and how reviewers answered.
import { useState } from "react";

import { Button } from "../../components/buttons";
import type { Collection, CollectionChange } from "../../api/schema";
import { patch, remove } from "../../api/client";
import { useChange } from "../../app/queries";
import { useRoute } from "../../app/route";
import { ConfirmButton, Dialog } from "../../components/Dialog";
import { ErrorNotice, Lines } from "../../components/Notice";
import { Time, DefinitionList } from "../../components/tables";
import { counted, count } from "../../domain/format";
import { Form, TextArea, TextField } from "../../components/fields";
import { Checkbox } from "../../components/choices";
import { localMoment } from "./collectionForm";
import { Card } from "../../components/Card";
import { ANSWER_KINDS, ANSWERS } from "../ballot/words";

export function CollectionHead({ collection }: { collection: Collection }) {
  const { id, title, state, deadline, closed_by_chairs } = collection;
  const [open, setOpen] = useState(false);
  const { go } = useRoute();
  const deleting = useChange(async () => {
    await remove("/api/collections/{collection}", { collection: id });
    go(`/c/${collection.conference}/ballots`); // first, for this page asks about it again
  });
  const changing = useCollectionChange(id);
  const passed = state === "closed" && !closed_by_chairs;
  return (
    <div className="stack tight">
      <div className="row spread">
        <div className="row">
          <h2 dir="auto">{title}</h2>
          <CollectionState state={state} />
          <span className="soft">
            {deadline ? (
              <>
                {passed ? "Deadline passed" : "Deadline"} <Time at={deadline} />
              </>
            ) : (
              "No deadline"
            )}
          </span>
        </div>
        <div className="row">
          <Button onClick={() => setOpen(true)}>Change</Button>
          {state === "open" ? (
            <Button
              disabled={changing.isPending}
              onClick={() => changing.mutate({ state: "closed" })}
            >
              Close now
            </Button>
          ) : (
            <Button
              disabled={changing.isPending}
              // A deadline that has passed would close it again at once.
              onClick={() =>
                changing.mutate({ state: "open", ...(passedNow(deadline) && { deadline: null }) })
              }
            >
              Reopen{passedNow(deadline) && " without a deadline"}
            </Button>
          )}
          <ConfirmButton
            text="Delete"
            title={`Delete ${title}?`}
            action="Delete for good"
            changing={deleting}
            input={undefined}
          >
            All {counted(collection.counts.ballots, "ballot")} with every version and every link are
            deleted too. Files that were made for a run stay. This cannot be undone.
          </ConfirmButton>
        </div>
      </div>
      <p className="soft">{optionsText(collection)}</p>
      <ErrorNotice error={changing.error} />
      {open && <CollectionDialog collection={collection} onClose={() => setOpen(false)} />}
    </div>
  );
}

const useCollectionChange = (collection: string) =>
  useChange((change: CollectionChange) =>
    patch("/api/collections/{collection}", { collection }, change),
  );

const passedNow = (deadline: string | null): boolean =>
  deadline !== null && Date.parse(deadline) <= Date.now();

/** "A list; about the same and cannot say allowed; scores shown. From the run “First”." */
function optionsText({ options, source }: Collection): string {
  const { mode, top_k, ties, may_skip, show_scores } = options;
  const parts = [
    mode === "pairs" ? "Pairs" : top_k ? `The best ${top_k}` : "A list",
    ties ? "“about the same” allowed" : "no ties",
    may_skip ? "“cannot say” allowed" : "all papers to be placed",
    show_scores ? "scores shown" : "scores not shown",
  ];
  return `${parts.join("; ")}. From ${source}.`;
}

/** Whether reviewers can still change their ballots. */
export function CollectionState({ state }: { state: "open" | "closed" }) {
  return <span className={state === "open" ? "badge good" : "badge"}>{NAMES[state]}</span>;
}

const NAMES = { open: "Open", closed: "Closed" };

/** Changes the title, the instructions and the deadline of a collection. */
function CollectionDialog({ collection, onClose }: { collection: Collection; onClose(): void }) {
  const [title, setTitle] = useState(collection.title);
  const [instructions, setInstructions] = useState(collection.instructions);
  const [deadline, setDeadline] = useState(localMoment(collection.deadline));
  const [now] = useState(() => Date.now());
  const [scores, setScores] = useState(collection.options.show_scores);
  const passed = deadline !== "" && Date.parse(deadline) <= now;
  const changing = useCollectionChange(collection.id);
  return (
    <Dialog title="Change the collection" onClose={onClose}>
      <Form
        onSubmit={() => {
          if (!title.trim()) return;
          const at = deadline ? new Date(deadline).toISOString() : null;
          changing.mutate(
            { title: title.trim(), instructions, deadline: at, show_scores: scores },
            { onSuccess: onClose },
          );
        }}
      >
        <TextField label="Title" maxLength={200} required value={title} onChange={setTitle} />
        <TextField
          label="Deadline"
          type="datetime-local"
          hint={
            passed
              ? "It has passed: nothing can be saved any more."
              : "In your time zone; empty for none. A later one opens ballots again that a deadline has closed."
          }
          value={deadline}
          onChange={setDeadline}
        />
        <TextArea
          label="Instructions for reviewers"
          rows={5}
          maxLength={10_000}
          value={instructions}
          onChange={setInstructions}
        />
        {collection.levels.length > 0 && (
          <Checkbox checked={scores} onChange={setScores}>
            Show reviewers their own scores, and ask where their order contradicts them
          </Checkbox>
        )}
        <ErrorNotice error={changing.error} />
        <div className="row">
          <Button type="submit" look="primary" disabled={changing.isPending}>
            Save
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}

export function CollectionFigures({ collection }: { collection: Collection }) {
  const { counts, median_minutes } = collection;
  const share = (some: number) =>
    counts.ballots ? `${count(some)} (${Math.round((100 * some) / counts.ballots)}%)` : "0";
  return (
    <Card title="Answers">
      <DefinitionList
        className="facts"
        items={[
          ["Ballots", count(counts.ballots)],
          ["Got a link", share(counts.invited)],
          ["Opened it", share(counts.opened)],
          ["Saved something", share(counts.saved)],
          ["Handed in", share(counts.submitted)],
          ["Median time", median_minutes === null ? "–" : minutesText(median_minutes)],
        ]}
      />
      <progress
        aria-label="Ballots handed in"
        value={counts.submitted}
        max={Math.max(1, counts.ballots)}
      />
      <Lines lines={[...dropOuts(collection), contradictionText(collection)]} />
    </Card>
  );
}

function dropOuts({ opened_not_saved, saved_not_submitted }: Collection): string[] {
  return [
    ...(opened_not_saved
      ? [`${counted(opened_not_saved, "reviewer")} opened the page and saved nothing.`]
      : []),
    ...(saved_not_submitted
      ? [
          `${counted(saved_not_submitted, "reviewer")} saved and did not hand in. What they saved counts, unless you choose “Handed in” below.`,
        ]
      : []),
  ];
}

/** "12 contradictions on 5 ballots: the order stands 4, the scores stand 3, both are meant 1, …" */
function contradictionText({ contradictions: found, options, counts }: Collection): string {
  if (!counts.saved) return "No ballot is saved yet.";
  if (!options.show_scores)
    return "Reviewers do not see their scores, so nobody is asked about contradictions.";
  if (!found.asked && !found.changed_scores) return "No ballot contradicts its reviewer’s scores.";
  const answers = ANSWER_KINDS.map((kind) => [found[kind], ANSWERS[kind].given] as const);
  const texts = [...answers, [found.unanswered, "no answer"] as const]
    .filter(([some]) => some > 0)
    .map(([some, text]) => `${text} ${some}`);
  const changed = found.changed_scores
    ? ` Reviewers would change ${counted(found.changed_scores, "score")}.`
    : "";
  return `${counted(found.asked, "contradiction")} with their own scores on ${counted(found.ballots, "ballot")}${texts.length ? `: ${texts.join(", ")}` : ""}.${changed}`;
}

/** 4 as "4 minutes", 190 as "3.2 hours". */
function minutesText(minutes: number): string {
  if (minutes < 1) return "under a minute";
  return minutes < 120
    ? counted(Math.round(minutes), "minute")
    : `${(minutes / 60).toFixed(1)} hours`;
}
