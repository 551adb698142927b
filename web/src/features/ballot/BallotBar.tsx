// The bar at the bottom of the window: whether all is saved, and the button that hands the ballot in.
import { counted } from "../../domain/format";
import { placedIn } from "./ballotOrder";
import { SaveLine } from "./SaveLine";
import type { Ballot } from "./ballotTypes";
import type { OpenBallot } from "./useBallot";

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
          <button type="button" className="button primary" onClick={onChoose}>
            Choose a version
          </button>
        ) : (
          <>
            <span className="soft">{remark(ballot, empty ? 0 : missing)}</span>
            <button
              type="button"
              className="button primary"
              disabled={(empty && !content.cannot_say.length) || (missing > 0 && !may_skip)}
              onClick={onSubmit}
            >
              {pairs && ballot.next_pair ? "Stop here and hand in" : "Hand in"}
            </button>
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
