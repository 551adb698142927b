// What is wrong or doubtful in an input: issues by kind, and reviewers whose rankings contradict scores.
import type { Check, Contradictions } from "../api/types";
import { count, placesText, counted } from "../domain/format";
import { issueAdvice, issueTitle } from "../domain/glossary";
import { BoxTable, numbers } from "./tables";

/** How many issues of each kind and what to do, then each with its place. */
export function IssueList({
  counts,
  issues,
  csv,
  busy = false,
  settled = false,
}: {
  counts: Check["issue_counts"];
  issues: Check["issues"];
  csv?: string; // the address of a table of all issues
  busy?: boolean;
  settled?: boolean; // of a run that is done: nothing was refused
}) {
  const total = counts.reduce((sum, kind) => sum + kind.count, 0);
  if (!total) return null;
  return (
    <div className={busy ? "stack stale" : "stack"}>
      <BoxTable
        label="Issues by kind"
        columns={["Kind", { text: "Count", className: "number" }, "What to do"]}
      >
        {counts.map(({ kind, count: size, advice }) => (
          <tr key={kind}>
            <td className="nowrap">{issueTitle(kind)}</td>
            <td className="number">{count(size)}</td>
            <td className="soft advice">{issueAdvice(kind, advice)}</td>
          </tr>
        ))}
      </BoxTable>

      <div className="row spread">
        <span className="hint">
          {issues.length < total
            ? `The first ${issues.length} of ${count(total)}:`
            : "All of them:"}
        </span>
        {csv && (
          <a className="button" href={csv} download>
            Download all as CSV
          </a>
        )}
      </div>
      <BoxTable
        box="Issues, one per row"
        look="framed"
        columns={["Issue", "Where", "What is done"]}
      >
        {issues.map((issue, index) => (
          <tr key={index}>
            <td>{issue.message}</td>
            <td className="soft">{placesText(issue.where)}</td>
            <td>{issue.action || (settled ? "–" : <span className="bad-text">refused</span>)}</td>
          </tr>
        ))}
      </BoxTable>
    </div>
  );
}

/** Reviewers whose rankings contradict their scores: how many, how little would settle it, whom to ask. */
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
          {counted(contradictions.contradictions, "contradiction")}; at least{" "}
          {counted(contradictions.fewest_changes, "change")} would settle them all.
          {lines.length < reviewers && ` The first ${lines.length}:`}
        </span>
        <a className="button" href={csv} download>
          Download for a mail merge (CSV)
        </a>
      </div>
      <BoxTable
        box="Contradictions, one reviewer per row"
        look="framed"
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
      </BoxTable>
    </div>
  );
}
