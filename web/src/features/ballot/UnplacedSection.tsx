// The papers that are not placed yet, in groups of the reviewer's own score.
import { BallotRow } from "./BallotRow";
import type { Doubt } from "./contradictions";
import { useDesk } from "./desk";
import { DoubtsAbout } from "./DoubtQuestion";
import { byScore, placedIn } from "./ballotOrder";
import { UnplacedButtons } from "./RowButtons";
import type { BallotPaper } from "./ballotTypes";
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
  const desk = useDesk();
  const { moves, options, drag } = desk;
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
          <button type="button" className="button" onClick={onScores}>
            Start from my scores
          </button>
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
                <DoubtsAbout paper={paper} doubts={doubts} about={desk} />
              </BallotRow>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
