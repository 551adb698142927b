// The bar at the bottom of the window: whether all is saved, and the button that hands the ballot in.
import { Button } from "../../components/buttons";
import { counted } from "../../domain/format";
import { placedIn } from "./ballotOrder";
import type { Ballot, OpenBallot } from "./useBallot";
import type { SaveState } from "./Saver";
import { momentOf } from "./words";

export function BallotBar({
  open: { ballot, content, state },
  onChoose,
  onSubmit,
}: {
  open: OpenBallot;
  onChoose(): void; // between two versions
  onSubmit(): void;
}) {
  const pairs = ballot.collection.options.mode === "pairs";
  const empty = pairs ? !content.comparisons.length : !placedIn(content).length;
  const { top_k, may_skip } = ballot.collection.options;
  const missing = pairs || top_k !== null ? 0 : content.unplaced.length;
  return (
    <div className="ballot-bar no-print" role="region" aria-label="Saving and handing in">
      <SaveLine state={state} savedAt={ballot.saved_at} />
      <div className="row">
        {state.kind === "conflict" ? (
          <Button look="primary" onClick={onChoose}>
            Choose a version
          </Button>
        ) : (
          <>
            <span className="soft">{remark(ballot, empty ? 0 : missing)}</span>
            <Button
              look="primary"
              disabled={(empty && !content.cannot_say.length) || (missing > 0 && !may_skip)}
              onClick={onSubmit}
            >
              {pairs && ballot.next_pair ? "Stop here and hand in" : "Hand in"}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

function remark({ version, submitted_version }: Ballot, missing: number): string {
  if (submitted_version !== null && submitted_version !== version)
    return "Changed since you handed it in";
  return missing ? `${counted(missing, "paper")} not placed` : "";
}

/** Whether what is on the page has been saved. */
function SaveLine({ state, savedAt }: { state: SaveState; savedAt: string | null }) {
  return (
    <span>
      {state.kind === "saving" && <span className="soft">Saving…</span>}
      <span role="status">
        <Settled state={state} savedAt={savedAt} />
      </span>
    </span>
  );
}

/** A screen reader hears these; that saving has begun would only disturb. */
function Settled({ state, savedAt }: { state: SaveState; savedAt: string | null }) {
  switch (state.kind) {
    case "saved":
      return savedAt ? (
        <span className="good-text">Saved {momentOf(savedAt, new Date())}</span>
      ) : (
        <span className="soft">Saved as you go</span>
      );
    case "offline":
      return (
        <span className="warn-text">
          Not saved yet: no connection.{" "}
          {state.stored
            ? "Kept on this device, sent when you are back."
            : "Keep this page open: it is sent when you are back."}
        </span>
      );
    case "refused":
    case "closed":
      return <span className="bad-text">Not saved: {state.words}</span>;
    case "conflict":
      return <span className="warn-text">Not saved yet: changed elsewhere</span>;
    case "saving":
      return null;
  }
}
