// Until when a ballot can be changed. When that moment passes, the server is asked.
import { useEffect, useState } from "react";

import { Notice } from "../../components/Notice";
import { Time } from "../../components/DefinitionList";
import type { Ballot } from "./ballotApi";
import { timeLeft } from "./words";

const AGAIN = 15_000; // ms between two questions to a server that has not closed yet
const LONGEST = 2 ** 31 - 1; // ms that a timer can wait

export function Deadline({
  collection: { deadline, state },
  locked,
  onPassed,
}: {
  collection: Ballot["collection"];
  locked: boolean;
  onPassed(): Promise<void>;
}) {
  const now = useMinute();
  useEffect(() => {
    if (!deadline || state === "closed") return;
    const left = Date.parse(deadline) - Date.now();
    // The clock of this device may be ahead of the server's.
    const wait = left > 0 ? Math.min(LONGEST, left + 500) : AGAIN;
    const timer = window.setTimeout(() => onPassed().catch(() => {}), wait);
    return () => window.clearTimeout(timer);
  });
  if (locked)
    return (
      <Notice tone="warn">
        {deadline && Date.parse(deadline) <= now ? (
          <>
            The deadline passed on <Time at={deadline} />.
          </>
        ) : (
          "The chairs have closed this collection."
        )}{" "}
        Your ballot can no longer be changed.
      </Notice>
    );
  if (!deadline) return null;
  const left = timeLeft(deadline, now);
  return (
    <p className="soft">
      Open until <Time at={deadline} />
      {left && ` (${left} left)`}.
    </p>
  );
}

/** The time now, renewed every half minute. */
function useMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 30_000);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}
