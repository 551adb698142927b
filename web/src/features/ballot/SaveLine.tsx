// Whether what is on the page has been saved.
import type { SaveState } from "./Saver";
import { momentOf } from "./words";

export function SaveLine({ state, savedAt }: { state: SaveState; savedAt: string | null }) {
  return (
    <span className="ballot-save">
      {state.kind === "saving" && <span className="soft">Saving…</span>}
      <span role="status">
        <Settled state={state} savedAt={savedAt} />
      </span>
    </span>
  );
}

/** A screen reader hears these; that saving has begun would only disturb. */
function Settled({ state, savedAt }: { state: SaveState; savedAt: string | null }) {
  switch (state.kind) {
    case "saved":
      return savedAt ? (
        <span className="good-text">Saved {momentOf(savedAt, new Date())}</span>
      ) : (
        <span className="soft">Saved as you go</span>
      );
    case "offline":
      return (
        <span className="warn-text">
          Not saved yet: no connection.{" "}
          {state.kept
            ? "Kept on this device, sent when you are back."
            : "Keep this page open: it is sent when you are back."}
        </span>
      );
    case "refused":
      return <span className="bad-text">Not saved: {state.words}</span>;
    case "closed":
      return <span className="bad-text">Not saved: {state.words}</span>;
    case "conflict":
      return <span className="warn-text">Not saved yet: changed elsewhere</span>;
    case "saving":
      return null;
  }
}
