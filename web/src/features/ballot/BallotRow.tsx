// One paper of a ballot: its handle, its place, its title and score, and the buttons that move it.
import type { ReactNode } from "react";
import { useState } from "react";

import { Button, MenuItem, Menu } from "../../components/buttons";
import { nameIn, useBallotContext } from "./ballotContext";
import {
  groupOf,
  placeOf,
  stepDown,
  stepUp,
  tieAbove,
  atPlace,
  placedIn,
  without,
  type MoveTarget,
} from "./ballotOrder";
import { handleId } from "./useMoves";
import { levelText } from "./words";
import { Form, TextField } from "../../components/fields";
import { Dialog } from "../../components/Dialog";
import { SegmentedControl } from "../../components/choices";

export function BallotRow({
  paper,
  buttons,
  children,
}: {
  paper: string;
  buttons: ReactNode;
  children?: ReactNode; // questions about it
}) {
  const { papers, moves, drag } = useBallotContext();
  const place = placeOf(moves.shown, paper);
  const at = groupOf(moves.shown, paper);
  const mark = drag?.mark && "paper" in drag.mark && drag.mark.paper === paper && drag.mark.kind;
  const look = [
    "ballot-row",
    !place && "unplaced",
    place?.tied && `tied ${endOf(moves.shown.groups[at] ?? [], paper)}`,
    moves.held === paper && "held",
    drag?.paper === paper && "lifted",
    mark && `drop-${mark}`,
  ];
  return (
    <li className="ballot-item">
      <div
        className={look.filter(Boolean).join(" ")}
        data-paper={paper}
        data-group={at < 0 ? undefined : at}
      >
        <Handle paper={paper} />
        {place && (
          <span className="ballot-place">
            <span className="visually-hidden">Place </span>
            {place.number}
            {place.tied && <span title="About the same">=</span>}
          </span>
        )}
        <div className="ballot-paper">
          <span dir="auto">
            <span className="strong">{paper}</span> {papers.get(paper)?.title}
          </span>
          <OwnScore paper={paper} />
        </div>
        <div
          className="ballot-buttons"
          role="group"
          aria-label={`Buttons for ${nameIn(papers, paper)}`}
        >
          {buttons}
        </div>
      </div>
      {children}
    </li>
  );
}

function OwnScore({ paper }: { paper: string }) {
  const { papers, content, change } = useBallotContext();
  const given = papers.get(paper)?.score ?? null;
  const changed = content.scores[paper];
  if (given === null) return null;
  if (changed === undefined || changed === given)
    return <span className="ballot-score">You gave {levelText(given)}</span>;
  const undo = () => {
    const scores = Object.fromEntries(
      Object.entries(content.scores).filter(([other]) => other !== paper),
    );
    change({ ...content, scores });
  };
  return (
    <span className="ballot-score">
      You gave {levelText(given)}, you would give {levelText(changed)}{" "}
      <Button look="quiet" aria-label={`Undo the change of the score of ${paper}`} onClick={undo}>
        Undo
      </Button>
    </span>
  );
}

/** Dragged by pointers; grabbed and moved by keys. */
function Handle({ paper }: { paper: string }) {
  const { papers, moves, handlers } = useBallotContext();
  const held = moves.held === paper;
  const stillHere = () => document.activeElement?.id === handleId(paper);
  return (
    <button
      type="button"
      id={handleId(paper)}
      className="ballot-handle"
      aria-label={`Move ${nameIn(papers, paper)}`}
      aria-pressed={held}
      aria-describedby="ballot-keys"
      {...handlers(paper)}
      // Keys and screen readers click without a pointer.
      onClick={(event) => event.detail === 0 && moves.toggle(paper)}
      onKeyDown={(event) => moves.onKeyDown(event, paper)}
      // After a move the row is a new element, whose handle takes the focus.
      onBlur={() => held && window.setTimeout(() => stillHere() || moves.leave())}
    >
      <span aria-hidden="true" className="ballot-grip" />
    </button>
  );
}

function endOf(group: string[], paper: string): string {
  if (group[0] === paper) return "first";
  return group.at(-1) === paper ? "last" : "middle";
}

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
