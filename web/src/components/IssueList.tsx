// Every problem of the input: how many of each kind, what to do, and where they stand.
import { ScrollBox } from "./ScrollBox";
import { TableHead } from "./TableHead";
import { adviceFor, placesInWords, titleOf } from "../domain/issueKinds";
import type { Check } from "../features/import/useCheck";

export function IssueList({
  counts,
  issues,
  csv,
  busy = false,
}: {
  counts: Check["issue_counts"];
  issues: Check["issues"];
  csv?: string; // the address of all of them
  busy?: boolean;
}) {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (!total) return null;
  return (
    <div className={busy ? "stack stale" : "stack"}>
      <ScrollBox label="Problems by kind">
        <table className="plain" aria-label="Problems by kind">
          <TableHead columns={["Kind", { text: "Count", className: "number" }, "What to do"]} />
          <tbody>
            {counts.map(({ kind, count, advice }) => (
              <tr key={kind}>
                <td className="nowrap">{titleOf(kind)}</td>
                <td className="number">{count.toLocaleString("en")}</td>
                <td className="soft advice">{adviceFor(kind, advice)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <div className="row spread">
        <span className="hint">
          {issues.length < total
            ? `The first ${issues.length} of ${total.toLocaleString("en")}:`
            : "All of them:"}
        </span>
        {csv && (
          <a className="button" href={csv} download>
            Download all as CSV
          </a>
        )}
      </div>
      <ScrollBox label="Problems, one a row" className="framed">
        <table className="plain">
          <TableHead columns={["Problem", "Where", "What is done"]} />
          <tbody>
            {issues.map((issue, index) => (
              <tr key={index}>
                <td>{issue.message}</td>
                <td className="soft">{placesInWords(issue.where)}</td>
                <td>{issue.action || <span className="bad-text">refused</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </div>
  );
}
