// Moves a paper to a place by its number: for long lists.
import { useState } from "react";

import { Button } from "../../components/buttons";
import { Dialog } from "../../components/Dialog";
import { Switch } from "../../components/choices";
import { TextField } from "../../components/fields";
import { nameIn, useBallotContext } from "./ballotContext";
import { atPlace, placedIn, without, type MoveTarget } from "./ballotOrder";

export function PlaceDialog({ paper, onClose }: { paper: string; onClose(): void }) {
  const { papers, options, moves } = useBallotContext();
  const [text, setText] = useState("");
  const [same, setSame] = useState(false);
  const others = without(moves.shown, paper);
  const last = placedIn(others).length + 1;
  const number = Number(text);
  const right = text.trim() !== "" && Number.isInteger(number) && number >= 1 && number <= last;
  const own = right ? atPlace(moves.shown, paper, number) : null;
  const there = own?.kind === "own" ? (others.groups[own.at] ?? null) : null;
  const target: MoveTarget | null =
    same && there && own?.kind === "own" ? { kind: "with", at: own.at } : own;
  return (
    <Dialog title={`Place of ${paper}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!target) return;
          onClose();
          moves.move(paper, target);
        }}
      >
        <TextField
          label={`Place, 1 to ${last}`}
          look="narrow"
          inputMode="numeric"
          value={text}
          onChange={setText}
          mistake={text && !right ? `A whole number from 1 to ${last}` : undefined}
        />
        {right && (
          <p role="status">
            {there ? `There now: ${there.map((each) => nameIn(papers, each)).join("; ")}` : "Last."}
          </p>
        )}
        {options.ties && there && (
          <Switch
            label="How it stands to the paper there"
            options={[
              ["above", "Above it"],
              ["same", "About the same"],
            ]}
            value={same ? "same" : "above"}
            onChange={(choice) => setSame(choice === "same")}
          />
        )}
        <div className="row">
          <Button type="submit" look="primary" disabled={!target}>
            Put it there
          </Button>
          <Button onClick={onClose}>Leave it</Button>
        </div>
      </form>
    </Dialog>
  );
}
