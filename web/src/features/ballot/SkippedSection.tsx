// The papers about which the reviewer cannot say where they stand.
import { BallotRow } from "./BallotRow";
import { useDesk } from "./desk";
import { SkippedButtons } from "./RowButtons";
import type { BallotPaper } from "./ballotTypes";

export function SkippedSection({ papers }: { papers: BallotPaper[] }) {
  const { drag } = useDesk();
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
