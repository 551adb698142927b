// A text field whose value is committed on Enter or on leaving the field.
import { useState } from "react";

import { TextField } from "./TextField";

export function DraftInput({
  value,
  onCommit,
  narrow = false,
  ...rest
}: {
  label: string;
  value: string;
  onCommit(value: string): void;
  hint?: string;
  mistake?: string | undefined;
  placeholder?: string;
  inputMode?: "text" | "decimal";
  narrow?: boolean;
}) {
  const [draft, setDraft] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    // Changed from outside: drop what was typed.
    setShown(value);
    setDraft(value);
  }
  const commit = () => {
    if (draft.trim() !== value) onCommit(draft.trim());
  };
  return (
    <TextField
      inputMode="text"
      {...rest}
      look={narrow ? "narrow" : undefined}
      value={draft}
      spellCheck={false}
      autoComplete="off"
      onChange={setDraft}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          commit();
        }
      }}
    />
  );
}
