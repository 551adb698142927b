// The title of a collection, until when it is open, and closing, reopening and changing it.
import { useState } from "react";

import { Button } from "../../components/buttons";
import type { Collection, CollectionChange } from "../../api/types";
import { useChange } from "../../app/queries";
import { useRoute } from "../../app/route";
import { Confirm } from "../../components/Dialog";
import { ErrorNotice } from "../../components/Notice";
import { Time } from "../../components/DefinitionList";
import { counted } from "../../domain/format";
import { CollectionDialog } from "./CollectionDialog";
import { changeCollection, deleteCollection } from "./requests";

export function CollectionHead({ collection }: { collection: Collection }) {
  const { id, title, state, deadline, closed_by_chairs } = collection;
  const [open, setOpen] = useState<"change" | "delete" | null>(null);
  const { go } = useRoute();
  const deleting = useChange(async () => {
    await deleteCollection(id);
    go(`/c/${collection.conference}/ballots`); // first, for this page asks about it again
  });
  const close = () => setOpen(null);
  const changing = useChange((change: CollectionChange) => changeCollection(id, change));
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
          <Button onClick={() => setOpen("change")}>Change</Button>
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
          <Button look="quiet danger" onClick={() => setOpen("delete")}>
            Delete
          </Button>
        </div>
      </div>
      <p className="soft">{optionsText(collection)}</p>
      <ErrorNotice error={changing.error} />
      {open === "change" && <CollectionDialog collection={collection} onClose={close} />}
      {open === "delete" && (
        <Confirm
          title={`Delete ${title}?`}
          action="Delete for good"
          busy={deleting.isPending}
          error={deleting.error}
          onClose={close}
          onConfirm={() => deleting.mutate()}
        >
          All {counted(collection.counts.ballots, "ballot")} with every version and every link are
          deleted too. Files that were made for a run stay. This cannot be undone.
        </Confirm>
      )}
    </div>
  );
}

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
