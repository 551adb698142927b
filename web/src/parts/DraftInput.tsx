// A text field whose value counts when one is done with it: on Enter, or on leaving it.
import { useId, useState } from "react";

export function DraftInput({
  label,
  value,
  onCommit,
  hint,
  mistake,
  placeholder,
  inputMode = "text",
  narrow = false,
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
  const field = useId();
  const [draft, setDraft] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    // Changed from outside: what was typed no longer counts.
    setShown(value);
    setDraft(value);
  }
  const commit = () => {
    if (draft.trim() !== value) onCommit(draft.trim());
  };
  const notes = [hint && `${field}-hint`, mistake && `${field}-mistake`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={field}>{label}</label>
      <input
        id={field}
        className={narrow ? "input narrow" : "input"}
        inputMode={inputMode}
        value={draft}
        placeholder={placeholder}
        aria-invalid={mistake ? true : undefined}
        aria-describedby={notes || undefined}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            commit();
          }
        }}
      />
      {hint && (
        <span id={`${field}-hint`} className="hint">
          {hint}
        </span>
      )}
      {mistake && (
        <span id={`${field}-mistake`} className="mistake">
          {mistake}
        </span>
      )}
    </div>
  );
}
