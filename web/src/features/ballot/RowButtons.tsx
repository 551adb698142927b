// The buttons of a row, for those who use neither pointer nor keys.
import { useState } from "react";

import { Button, MenuItem, Menu } from "../../components/buttons";
import { nameIn, useBallotContext } from "./ballotContext";
import {
  stepDown,
  stepUp,
  tieAbove,
  atPlace,
  placedIn,
  without,
  type MoveTarget,
} from "./ballotOrder";
import { Form, TextField } from "../../components/fields";
import { Dialog } from "../../components/Dialog";
import { SegmentedControl } from "../../components/choices";

/** Up, down, same as above, and the rest in a menu. */
export function PlacedButtons({ paper }: { paper: string }) {
  const { papers, options, moves } = useBallotContext();
  const [open, setOpen] = useState(false);
  const name = nameIn(papers, paper);
  const order = moves.shown;
  const up = stepUp(order, paper);
  const down = stepDown(order, paper, false);
  const tie = options.ties ? tieAbove(order, paper) : null;
  const button = (text: string, label: string, target: MoveTarget | null) => (
    <Button
      disabled={!target}
      aria-label={`${label}: ${name}`}
      title={label}
      onClick={() => moves.move(paper, target)}
    >
      {text}
    </Button>
  );
  return (
    <>
      {button("↑", "Up", up)}
      {button("↓", "Down", down?.kind === "unplaced" ? null : down)}
      {options.ties && button("=", tie?.kind === "own" ? "Not the same" : "Same as above", tie)}
      <Menu text="More" label={`More for ${name}`}>
        <MenuItem onClick={() => setOpen(true)}>Move to place…</MenuItem>
        {options.may_skip && (
          <MenuItem onClick={() => moves.move(paper, { kind: "cannot_say" })}>Cannot say</MenuItem>
        )}
        <MenuItem onClick={() => moves.move(paper, { kind: "unplaced" })}>
          Take out of the order
        </MenuItem>
      </Menu>
      {open && <PlaceDialog paper={paper} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Add at the end, cannot say, or any place. */
export function UnplacedButtons({ paper }: { paper: string }) {
  const { options, moves } = useBallotContext();
  const [open, setOpen] = useState(false);
  const groups = moves.shown.groups.length;
  const move = (target: MoveTarget) => () => moves.move(paper, target);
  return (
    <>
      <RowButton paper={paper} text="Add next" onClick={move({ kind: "own", at: groups })} />
      {groups > 0 && (
        <RowButton paper={paper} text="Place…" label="Place" onClick={() => setOpen(true)} />
      )}
      {options.may_skip && (
        <RowButton paper={paper} text="Cannot say" onClick={move({ kind: "cannot_say" })} />
      )}
      {open && <PlaceDialog paper={paper} onClose={() => setOpen(false)} />}
    </>
  );
}

export function SkippedButtons({ paper }: { paper: string }) {
  const { moves } = useBallotContext();
  return (
    <RowButton
      paper={paper}
      text="Put back"
      onClick={() => moves.move(paper, { kind: "unplaced" })}
    />
  );
}

function RowButton({
  paper,
  text,
  label = text,
  onClick,
}: {
  paper: string;
  text: string;
  label?: string; // for screen readers, before the paper's name
  onClick(): void;
}) {
  const { papers } = useBallotContext();
  return (
    <Button aria-label={`${label}: ${nameIn(papers, paper)}`} onClick={onClick}>
      {text}
    </Button>
  );
}

/** Moves a paper to a place by its number: for long lists. */
function PlaceDialog({ paper, onClose }: { paper: string; onClose(): void }) {
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
      <Form
        onSubmit={() => {
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
          <SegmentedControl
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
      </Form>
    </Dialog>
  );
}
