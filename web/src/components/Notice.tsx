// A message that people must not miss; screen readers say it when it appears.
import type { ReactNode } from "react";

export type Tone = "info" | "good" | "warn" | "bad";

export function Notice({ tone = "info", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}
