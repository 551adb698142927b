// Puts a text on the clipboard, and says so.
import { useState } from "react";

export function CopyButton({ text, name = "Copy" }: { text: string; name?: string }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      // Only over HTTPS or on this machine may a page reach the clipboard.
      setSaid("The browser does not allow copying: select the text and copy it.");
    }
  };
  return (
    <>
      <button type="button" className="button primary" onClick={copy}>
        {name}
      </button>
      <span role="status" className="soft">
        {said}
      </span>
    </>
  );
}
