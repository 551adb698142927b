// Reviewers whose rankings contradict their scores: how many, how little would settle it, whom to ask.
import type { Contradictions } from "../api/types";
import { count, counted } from "../domain/format";
import { ScrollBox } from "./ScrollBox";
import { numbers, PlainTable } from "./PlainTable";

export function ContradictionList({
  contradictions,
  csv,
}: {
  contradictions: Contradictions;
  csv: string; // the address of a table for a mail merge
}) {
  const { reviewers, lines } = contradictions;
  return (
    <div className="stack">
      <div className="row spread">
        <span className="hint">
          {counted(reviewers, "reviewer")},{" "}
          {counted(contradictions.contradictions, "contradiction")}; at the least{" "}
          {counted(contradictions.fewest_changes, "change")} would settle all.
          {lines.length < reviewers && ` The first ${lines.length}:`}
        </span>
        <a className="button" href={csv} download>
          Download for a mail merge (CSV)
        </a>
      </div>
      <ScrollBox label="Contradictions, one reviewer per row" className="framed">
        <PlainTable
          columns={["Reviewer", "E-mail", ...numbers("Contradictions", "Fewest changes")]}
        >
          {lines.map((line) => (
            <tr key={line.reviewer}>
              <td>{line.reviewer_name ?? line.reviewer}</td>
              <td className="soft">{line.email}</td>
              <td className="number">{count(line.contradictions)}</td>
              <td className="number">{count(line.fewest_changes)}</td>
            </tr>
          ))}
        </PlainTable>
      </ScrollBox>
    </div>
  );
}
