// For how long new links work, and the button that makes one for every area chair.
import { useId } from "react";

import { daysIn } from "./links";

export function LinkExpiry({
  days,
  onDays,
  busy,
  onAll,
}: {
  days: string;
  onDays(days: string): void;
  busy: boolean;
  onAll(): void;
}) {
  const id = useId();
  const wrong = daysIn(days) === undefined;
  return (
    <div className="row">
      <label htmlFor={id}>Valid for</label>
      <input
        id={id}
        className="input days number"
        inputMode="numeric"
        value={days}
        aria-invalid={wrong || undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onDays(event.target.value)}
      />
      <span id={`${id}-hint`} className={wrong ? "mistake" : "soft"}>
        {wrong
          ? "days, a whole number from 1 to 3650, or empty"
          : "days (leave empty for no expiry)"}
      </span>
      <button type="button" className="button primary" disabled={busy} onClick={onAll}>
        Links for all
      </button>
    </div>
  );
}
