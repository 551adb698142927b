// Messages: notices, errors, and the state of a query that has no data yet.
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

/** The same in a line, where a box has no room. */
export function InlineError({ error }: { error: Error | null }) {
  return (
    error && (
      <span role="alert" className="bad-text">
        {errorMessage(error)}
      </span>
    )
  );
}

/** What to know before links are sent. */
export function Warnings({ warnings }: { warnings: string[] }) {
  if (!warnings.length) return null;
  return (
    <Notice tone="warn">
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </Notice>
  );
}

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
