// A button that copies a text to the clipboard and reports the outcome.
import { useState } from "react";

export function CopyButton({
  text,
  name = "Copy",
  onCopied,
}: {
  text: string;
  name?: string;
  onCopied?(): void;
}) {
  const [outcome, setOutcome] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("Copied");
      onCopied?.();
    } catch {
      // Browsers allow this only over HTTPS or on the local computer.
      setOutcome("The browser does not allow copying: select the text and copy it.");
    }
  };
  return (
    <>
      <button type="button" className="button primary" onClick={copy}>
        {name}
      </button>
      <span role="status" className="soft">
        {outcome}
      </span>
    </>
  );
}
