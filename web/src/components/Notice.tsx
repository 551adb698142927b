// Messages that must not be missed: screen readers announce them when they appear.
import type { ReactNode } from "react";

import { wordsOf } from "../api/errors";

export type Tone = "info" | "good" | "warn" | "bad";

export function Notice({ tone = "info", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** What went wrong with a request; nothing when `error` is null. */
export function ErrorNotice({ error }: { error: Error | null }) {
  return error && <Notice tone="bad">{wordsOf(error)}</Notice>;
}

/** The same in a line, where a box has no room. */
export function ErrorLine({ error }: { error: Error | null }) {
  return (
    error && (
      <span role="alert" className="bad-text">
        {wordsOf(error)}
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
