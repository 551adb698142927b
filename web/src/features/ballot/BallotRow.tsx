// One paper of a ballot: its handle, its place, its title and score, and the buttons that move it.
import type { ReactNode } from "react";

import { Button } from "../../components/buttons";
import { nameIn, useBallotContext } from "./ballotContext";
import { groupOf, placeOf } from "./ballotOrder";
import { handleId } from "./useMoves";
import { levelText } from "./words";

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
