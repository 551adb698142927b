// What is wrong or doubtful in an input: issues by kind, and reviewers whose rankings contradict scores.
import type { Check, Contradictions } from "../api/schema";
import { count, whereText, counted } from "../domain/format";
import { issueAdvice, issueTitle } from "../domain/glossary";
import { DataTable } from "./DataTable";

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
      <DataTable
        label="Issues by kind"
        rows={counts}
        keyOf={({ kind }) => kind}
        columns={[
          { head: "Kind", cell: ({ kind }) => issueTitle(kind), look: "nowrap" },
          { head: "Count", cell: (issues) => count(issues.count), number: true },
          {
            head: "What to do",
            cell: ({ kind, advice }) => issueAdvice(kind, advice),
            look: "soft advice",
          },
        ]}
      />

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
      <DataTable
        box="Issues, one per row"
        look="framed"
        rows={issues}
        keyOf={(_, index) => index}
        columns={[
          { head: "Issue", cell: ({ message }) => message },
          { head: "Where", cell: ({ where }) => whereText(where), look: "soft" },
          {
            head: "What is done",
            cell: ({ action }) =>
              action || (settled ? "–" : <span className="bad-text">refused</span>),
          },
        ]}
      />
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
      <DataTable
        box="Contradictions, one reviewer per row"
        look="framed"
        rows={lines}
        keyOf={({ reviewer }) => reviewer}
        columns={[
          { head: "Reviewer", cell: (line) => line.reviewer_name ?? line.reviewer },
          { head: "E-mail", cell: ({ email }) => email, look: "soft" },
          { head: "Contradictions", cell: (line) => count(line.contradictions), number: true },
          { head: "Fewest changes", cell: (line) => count(line.fewest_changes), number: true },
        ]}
      />
    </div>
  );
}
