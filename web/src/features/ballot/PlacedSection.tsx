// The order of a ballot, best first, with the questions about it in place.
import { BallotRow } from "./BallotRow";
import type { Doubt } from "./contradictions";
import { useDesk } from "./desk";
import { AnswerHint, DoubtsAbout } from "./DoubtQuestion";
import { placedIn } from "./ballotOrder";
import { PlacedButtons } from "./RowButtons";

export function PlacedSection({ doubts }: { doubts: Doubt[] }) {
  const desk = useDesk();
  const { moves, options, papers, drag } = desk;
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
              <DoubtsAbout paper={paper} doubts={doubts} about={desk} />
            </BallotRow>
          ))}
        </ol>
      )}
    </section>
  );
}
