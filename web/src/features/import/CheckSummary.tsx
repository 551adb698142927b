// What the files were recognised as, what is in them, and their first rows.
import { Notice } from "../../components/Notice";
import { Previews } from "./Previews";
import { reasonInPage } from "./reasons";
import type { Check, Checked } from "./useCheck";

const ORDER = ["reviews", "papers", "reviewers", "rankings"];

export function CheckSummary({ check, busy, problem }: Checked) {
  return (
    <section className="card stack" aria-labelledby="found" aria-busy={busy}>
      <div className="row spread">
        <h2 id="found">What was found</h2>
        <span role="status" className="soft">
          {busy ? "Checking…" : check ? summary(check) : ""}
        </span>
      </div>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {check?.reason && <Unread reason={check.reason} />}
      {check && !check.reason && (
        <div className={busy ? "stack stale" : "stack"}>
          <Counts counts={check.counts} />
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
  const { words, more } = reasonInPage(reason);
  return (
    <>
      <Notice tone="bad">{words}</Notice>
      {more && (
        <details>
          <summary>What is understood</summary>
          <p className="hint">{more}</p>
        </details>
      )}
    </>
  );
}

function summary(check: Check): string {
  if (check.ready) return "Ready to run";
  return check.issue_counts.length ? "Not ready: see the problems" : "Not ready";
}

function Counts({ counts }: { counts: Check["counts"] }) {
  const names = [...new Set([...ORDER, ...Object.keys(counts)])].filter((name) => name in counts);
  if (!names.length) return null;
  return (
    <dl className="counts">
      {names.map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{counts[name]?.toLocaleString("en")}</dd>
        </div>
      ))}
    </dl>
  );
}
