// Changes the title, the instructions and the deadline of a collection.
import { useId, useState } from "react";

import type { Collection, CollectionChange } from "../../api/types";
import { useChange } from "../../app/queries";
import { Dialog } from "../../components/Dialog";
import { ErrorNotice } from "../../components/Notice";
import { TextField } from "../../components/fields";
import { localMoment } from "./collectionForm";
import { changeCollection } from "./requests";

export function CollectionDialog({
  collection,
  onClose,
}: {
  collection: Collection;
  onClose(): void;
}) {
  const text = useId();
  const [title, setTitle] = useState(collection.title);
  const [instructions, setInstructions] = useState(collection.instructions);
  const [deadline, setDeadline] = useState(localMoment(collection.deadline));
  const [now] = useState(() => Date.now());
  const [scores, setScores] = useState(collection.options.show_scores);
  const passed = deadline !== "" && Date.parse(deadline) <= now;
  const changing = useChange((change: CollectionChange) => changeCollection(collection.id, change));
  return (
    <Dialog title="Change the collection" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
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
          <label htmlFor={text}>Instructions for reviewers</label>
          <textarea
            id={text}
            className="input"
            rows={5}
            maxLength={10_000}
            value={instructions}
            onChange={(event) => setInstructions(event.target.value)}
          />
        </div>
        {collection.levels.length > 0 && (
          <label className="check-line">
            <input
              type="checkbox"
              checked={scores}
              onChange={(event) => setScores(event.target.checked)}
            />
            Show reviewers their own scores, and ask where their order contradicts them
          </label>
        )}
        <ErrorNotice error={changing.error} />
        <div className="row">
          <button type="submit" className="button primary" disabled={changing.isPending}>
            Save
          </button>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
