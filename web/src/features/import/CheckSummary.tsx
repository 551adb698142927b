// What the files were recognised as, what is in them, and their first rows.
import type { Check } from "../../api/types";
import { DefinitionList } from "../../components/DefinitionList";
import { ErrorNotice, Notice } from "../../components/Notice";
import { count } from "../../domain/format";
import { Previews } from "./Previews";
import { reasonInPage } from "./reasons";
import type { CheckState } from "./useCheck";

const ORDER = ["reviews", "papers", "reviewers", "rankings"];

export function CheckSummary({ check, busy, error }: CheckState) {
  return (
    <section className="card stack" aria-labelledby="found" aria-busy={busy}>
      <div className="row spread">
        <h2 id="found">What was found</h2>
        <span role="status" className="soft">
          {busy ? "Checking…" : check ? summary(check) : ""}
        </span>
      </div>
      <ErrorNotice error={error} />
      {check?.reason && <Unread reason={check.reason} />}
      {check && !check.reason && (
        <div className={busy ? "stack stale" : "stack"}>
          <Counts counts={check.counts} />
          {check.scale && (
            <p>
              Scale: {check.scale.text} ({check.scale.origin})
            </p>
          )}
          {check.recognised.length > 0 && (
            <ul className="lines">
              {check.recognised.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
          {check.notes.length > 0 && (
            <ul className="lines soft">
              {check.notes.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
          <Previews previews={check.previews} />
        </div>
      )}
    </section>
  );
}

function Unread({ reason }: { reason: string }) {
  const { text, formats } = reasonInPage(reason);
  return (
    <>
      <Notice tone="bad">{text}</Notice>
      {formats && (
        <details>
          <summary>Formats that unround reads</summary>
          <p className="hint">{formats}</p>
        </details>
      )}
    </>
  );
}

function summary(check: Check): string {
  if (check.ready) return "Ready to run";
  return check.issue_counts.length ? "Not ready: see the issues" : "Not ready";
}

function Counts({ counts }: { counts: Check["counts"] }) {
  const names = [...new Set([...ORDER, ...Object.keys(counts)])].filter((name) => name in counts);
  if (!names.length) return null;
  return (
    <DefinitionList
      className="counts"
      items={names.map((name) => [name, count(counts[name] ?? 0)])}
    />
  );
}
