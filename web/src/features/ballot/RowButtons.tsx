// The buttons of a row, for those who use neither pointer nor keys.
import { useState } from "react";

import { Button, MenuItem, Menu } from "../../components/buttons";
import { nameIn, useBallotContext } from "./ballotContext";
import { stepDown, stepUp, tieAbove, type MoveTarget } from "./ballotOrder";
import { PlaceDialog } from "./PlaceDialog";

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
        {(close) => (
          <>
            <MenuItem
              onClick={() => {
                close();
                setOpen(true);
              }}
            >
              Move to place…
            </MenuItem>
            {options.may_skip && (
              <MenuItem onClick={() => moves.move(paper, { kind: "cannot_say" })}>
                Cannot say
              </MenuItem>
            )}
            <MenuItem onClick={() => moves.move(paper, { kind: "unplaced" })}>
              Take out of the order
            </MenuItem>
          </>
        )}
      </Menu>
      {open && <PlaceDialog paper={paper} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Add at the end, cannot say, or any place. */
export function UnplacedButtons({ paper }: { paper: string }) {
  const { papers, options, moves } = useBallotContext();
  const [open, setOpen] = useState(false);
  const name = nameIn(papers, paper);
  const groups = moves.shown.groups.length;
  return (
    <>
      <Button
        aria-label={`Add next: ${name}`}
        onClick={() => moves.move(paper, { kind: "own", at: groups })}
      >
        Add next
      </Button>
      {groups > 0 && (
        <Button aria-label={`Place: ${name}`} onClick={() => setOpen(true)}>
          Place…
        </Button>
      )}
      {options.may_skip && (
        <Button
          aria-label={`Cannot say: ${name}`}
          onClick={() => moves.move(paper, { kind: "cannot_say" })}
        >
          Cannot say
        </Button>
      )}
      {open && <PlaceDialog paper={paper} onClose={() => setOpen(false)} />}
    </>
  );
}

export function SkippedButtons({ paper }: { paper: string }) {
  const { papers, moves } = useBallotContext();
  return (
    <Button
      aria-label={`Put back: ${nameIn(papers, paper)}`}
      onClick={() => moves.move(paper, { kind: "unplaced" })}
    >
      Put back
    </Button>
  );
}
