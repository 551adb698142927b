// What is not saved, on every page of a run until it is.
import { Button } from "../../components/buttons";
import { counted } from "../../domain/format";
import type { Saving } from "./context";

const SHOWN = 4; // changes

export function UnsavedBanner({ saving }: { saving: Saving | undefined }) {
  const unsaved = saving?.changes.filter(({ message }) => message) ?? [];
  if (!saving || !unsaved.length) return null;
  const more = unsaved.length - SHOWN;
  const busy = unsaved.some((one) => one.busy);
  return (
    <div className="unsaved-banner no-print" role="alert" aria-label="Not saved">
      <ul className="bare">
        {unsaved.slice(0, SHOWN).map(({ message }, place) => (
          <li key={place}>{message}</li>
        ))}
        {more > 0 && <li>{counted(more, "more change")} not saved.</li>}
      </ul>
      {unsaved.some(({ again }) => again) ? (
        <>
          <Button disabled={busy} onClick={saving.tryAgain}>
            {busy ? "Trying again…" : "Try again"}
          </Button>
          <Button look="quiet" disabled={busy} onClick={saving.giveUp}>
            Discard
          </Button>
        </>
      ) : (
        <Button look="quiet" onClick={saving.giveUp}>
          Close
        </Button>
      )}
    </div>
  );
}
