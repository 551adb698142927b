// Messages: notices, errors, lists of short texts, and the state of a query that has no data yet.
import type { ReactNode } from "react";

import { errorMessage, hasStatus } from "../api/errors";
import { Button } from "./buttons";

type Tone = "info" | "good" | "warn" | "bad";

/** A message that must not be missed: screen readers announce it when it appears. */
export function Notice({ tone = "info", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** The message of a failed request; nothing when `error` is null. */
export function ErrorNotice({ error }: { error: Error | null }) {
  return error && <Notice tone="bad">{errorMessage(error)}</Notice>;
}

/** A bulleted list of short texts. */
export function Lines({
  lines,
  look = "",
  label,
}: {
  lines: string[];
  look?: "" | "soft";
  label?: string;
}) {
  if (!lines.length) return null;
  return (
    <ul className={`lines ${look}`} aria-label={label}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** What to know before something is done. */
export const Warnings = ({ warnings }: { warnings: string[] }) =>
  warnings.length > 0 && (
    <Notice tone="warn">
      <Lines lines={warnings} />
    </Notice>
  );

interface Query {
  data: unknown;
  error: Error | null;
  refetch(): unknown;
}

/** That a query is still loading, or why it failed; nothing once it has data. */
export function QueryStatus({ query, what = "Loading…" }: { query: Query; what?: string }) {
  const { data, error, refetch } = query;
  if (hasStatus(error, 401)) return null; // the entrance opens next
  if (error)
    return (
      <Notice tone="bad">
        <div className="row spread">
          <span>{errorMessage(error)}</span>
          <Button onClick={() => refetch()}>Try again</Button>
        </div>
      </Notice>
    );
  return data === undefined ? <Loading what={what} /> : null;
}

export function Loading({ what = "Loading…" }: { what?: string }) {
  return (
    <p className="soft waiting" role="status">
      {what}
    </p>
  );
}
