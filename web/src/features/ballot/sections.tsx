// The papers of a ballot that are placed, not placed yet, and set aside.
import { Button } from "../../components/buttons";
import { BallotRow } from "./BallotRow";
import type { Doubt } from "./contradictions";
import { useBallotContext } from "./ballotContext";
import { DoubtsAbout, AnswerHint } from "./DoubtQuestion";
import { byScore, placedIn } from "./ballotOrder";
import { UnplacedButtons, SkippedButtons, PlacedButtons } from "./RowButtons";
import type { BallotPaper } from "./ballotApi";
import { levelText } from "./words";

export function UnplacedSection({
  papers,
  doubts,
  onScores,
}: {
  papers: BallotPaper[];
  doubts: Doubt[]; // also about papers that are placed
  onScores(): void; // place all by their scores
}) {
  const context = useBallotContext();
  const { moves, options, drag } = context;
  const groups = byScore(papers);
  const scored = groups.some(({ score }) => score !== null);
  const start = options.ties && options.top_k === null && scored && !placedIn(moves.shown).length;
  return (
    <section
      className={
        drag?.mark?.kind === "unplaced" ? "card ballot-zone drop-here" : "card ballot-zone"
      }
      aria-labelledby="ballot-unplaced"
      data-zone="unplaced"
    >
      <h2 id="ballot-unplaced">{options.top_k === null ? "Not placed yet" : "Other papers"}</h2>
      {start && (
        <div className="row">
          <Button onClick={onScores}>Start from my scores</Button>
          <span className="hint">
            Equal scores stand as about the same; pull apart what differs.
          </span>
        </div>
      )}
      {papers.length === 0 && <p className="soft">All papers are placed.</p>}
      {groups.map((group) => (
        <div key={String(group.score)} className="ballot-group">
          {scored && (
            <h3 className="soft">
              {group.score === null ? "Without a score" : `You gave ${levelText(group.score)}`}
            </h3>
          )}
          <ul className="ballot-list">
            {group.papers.map(({ paper }) => (
              <BallotRow key={paper} paper={paper} buttons={<UnplacedButtons paper={paper} />}>
                <DoubtsAbout paper={paper} doubts={doubts} about={context} />
              </BallotRow>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

/** The papers about which the reviewer cannot say where they stand. */
export function SkippedSection({ papers }: { papers: BallotPaper[] }) {
  const { drag } = useBallotContext();
  return (
    <section
      className={
        drag?.mark?.kind === "cannot_say" ? "card ballot-zone drop-here" : "card ballot-zone"
      }
      aria-labelledby="ballot-skipped"
      data-zone="cannot_say"
    >
      <h2 id="ballot-skipped">Cannot say</h2>
      {papers.length === 0 && (
        <p className="soft">Papers that you cannot compare with the others. They count nowhere.</p>
      )}
      {papers.length > 0 && (
        <ul className="ballot-list">
          {papers.map(({ paper }) => (
            <BallotRow key={paper} paper={paper} buttons={<SkippedButtons paper={paper} />} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** The order of a ballot, best first, with the questions about it in place. */
export function PlacedSection({ doubts }: { doubts: Doubt[] }) {
  const context = useBallotContext();
  const { moves, options, papers, drag } = context;
  const placed = placedIn(moves.shown);
  const most = options.top_k;
  const open = doubts.filter(({ answer }) => !answer).length;
  return (
    <section
      className={drag?.mark?.kind === "end" ? "card ballot-zone drop-here" : "card ballot-zone"}
      aria-labelledby="ballot-placed"
      data-zone="placed"
    >
      <div className="row spread">
        <h2 id="ballot-placed">{most === null ? "Your order" : `Your best ${most}`}</h2>
        <span className="soft">
          {placed.length} of {most ?? papers.size} placed
          {open > 0 && `, ${open} ${open === 1 ? "question" : "questions"}`}
        </span>
      </div>
      {open > 0 && <AnswerHint />}
      {placed.length === 0 && (
        <p className="ballot-empty">
          Best first: press “Add next” on your best paper, then on the next best, or drag papers
          here.
        </p>
      )}
      {placed.length > 0 && (
        <ol className="ballot-list">
          {placed.map((paper) => (
            <BallotRow key={paper} paper={paper} buttons={<PlacedButtons paper={paper} />}>
              <DoubtsAbout paper={paper} doubts={doubts} about={context} />
            </BallotRow>
          ))}
        </ol>
      )}
    </section>
  );
}
