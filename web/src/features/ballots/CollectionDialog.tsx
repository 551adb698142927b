// Changes the title, the instructions and the deadline of a collection.
import { useState } from "react";

import { Checkbox } from "../../components/choices";
import { Button } from "../../components/buttons";
import type { Collection, CollectionChange } from "../../api/types";
import { useChange } from "../../app/queries";
import { Dialog } from "../../components/Dialog";
import { ErrorNotice } from "../../components/Notice";
import { TextArea, TextField } from "../../components/fields";
import { localMoment } from "./collectionForm";
import { changeCollection } from "./requests";

export function CollectionDialog({
  collection,
  onClose,
}: {
  collection: Collection;
  onClose(): void;
}) {
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
      </form>
    </Dialog>
  );
}
