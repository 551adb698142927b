// Two versions of one ballot, from two tabs or devices: the reviewer says which one counts.
import { Dialog } from "../../components/Dialog";
import { ContentText } from "./ContentText";
import type { Ballot, BallotContent, BallotPaper } from "./ballotTypes";
import { momentOf } from "./words";

export function OtherVersion({
  theirs,
  mine,
  papers,
  onChoose,
  onClose,
}: {
  theirs: Ballot;
  mine: BallotContent;
  papers: ReadonlyMap<string, BallotPaper>;
  onChoose(which: "mine" | "theirs"): void;
  onClose(): void; // decide later
}) {
  const at = theirs.saved_at && momentOf(theirs.saved_at, new Date());
  return (
    <Dialog title="Your ballot was changed elsewhere" onClose={onClose} wide>
      <p>Another tab or device saved it{at && ` at ${at}`}. Which one counts?</p>
      <div className="ballot-versions">
        <section className="card stack tight" aria-label="On this page">
          <h3>On this page</h3>
          <ContentText content={mine} papers={papers} />
          <button type="button" className="button primary" onClick={() => onChoose("mine")}>
            Keep this one
          </button>
        </section>
        <section className="card stack tight" aria-label="Saved elsewhere">
          <h3>Saved elsewhere</h3>
          <ContentText content={theirs.content} order={theirs.order} papers={papers} />
          <button type="button" className="button" onClick={() => onChoose("theirs")}>
            Take that one
          </button>
        </section>
      </div>
    </Dialog>
  );
}
