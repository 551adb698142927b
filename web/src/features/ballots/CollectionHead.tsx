// The title of a collection, until when it is open, and closing, reopening and changing it.
import { useState } from "react";

import { Button } from "../../components/buttons";
import type { Collection, CollectionChange } from "../../api/schema";
import { patch, remove } from "../../api/client";
import { useChange } from "../../app/queries";
import { useRoute } from "../../app/route";
import { ConfirmButton, Dialog } from "../../components/Dialog";
import { ErrorNotice } from "../../components/Notice";
import { Time } from "../../components/tables";
import { counted } from "../../domain/format";
import { Form, TextArea, TextField } from "../../components/fields";
import { Checkbox } from "../../components/choices";
import { localMoment } from "./collectionForm";

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
        <div className="field">
          <TextArea
            label="Instructions for reviewers"
            rows={5}
            maxLength={10_000}
            value={instructions}
            onChange={setInstructions}
          />
        </div>
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
