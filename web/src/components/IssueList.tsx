// The issues of an input: how many of each kind and what to do, then each with its place.
import type { Check } from "../api/types";
import { count, placesText } from "../domain/format";
import { issueAdvice, issueTitle } from "../domain/glossary";
import { ScrollBox } from "./ScrollBox";
import { PlainTable } from "./PlainTable";

export function IssueList({
  counts,
  issues,
  csv,
  busy = false,
}: {
  counts: Check["issue_counts"];
  issues: Check["issues"];
  csv?: string; // the address of a table of all issues
  busy?: boolean;
}) {
  const total = counts.reduce((sum, kind) => sum + kind.count, 0);
  if (!total) return null;
  return (
    <div className={busy ? "stack stale" : "stack"}>
      <ScrollBox label="Issues by kind">
        <PlainTable
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
        </PlainTable>
      </ScrollBox>
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
      <ScrollBox label="Issues, one per row" className="framed">
        <PlainTable columns={["Issue", "Where", "What is done"]}>
          {issues.map((issue, index) => (
            <tr key={index}>
              <td>{issue.message}</td>
              <td className="soft">{placesText(issue.where)}</td>
              <td>{issue.action || <span className="bad-text">refused</span>}</td>
            </tr>
          ))}
        </PlainTable>
      </ScrollBox>
    </div>
  );
}
