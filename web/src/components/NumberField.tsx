// A field for a number or nothing. Text that is not a number yet stays in the field.
import { useState, type ReactNode } from "react";

export function NumberField({
  label,
  value,
  onChange,
  min,
  step = "any",
  placeholder,
}: {
  label: ReactNode;
  value: number | null;
  onChange(value: number | null): void;
  min?: number;
  step?: number | "any";
  placeholder?: string;
}) {
  const [draft, setDraft] = useState({ text: value === null ? "" : String(value), value });
  // Changed from outside: drop what was typed.
  const text = draft.value === value ? draft.text : value === null ? "" : String(value);
  return (
    <label className="labelled">
      <span>{label}</span>
      <input
        type="number"
        className="input narrow number"
        inputMode="decimal"
        value={text}
        min={min}
        step={step}
        placeholder={placeholder}
        onChange={(event) => {
          const typed = event.target.value;
          const next = typed === "" || !Number.isFinite(Number(typed)) ? null : Number(typed);
          setDraft({ text: typed, value: next });
          onChange(next);
        }}
      />
    </label>
  );
}
