// A text field with its label, a hint and what is wrong with its value.
import { useId, type ComponentProps, type ReactNode } from "react";

export function TextField({
  label,
  value,
  onChange,
  hint,
  mistake,
  look,
  ...rest
}: {
  label: string;
  value: string;
  onChange(value: string): void;
  hint?: ReactNode;
  mistake?: string | undefined;
  look?: "narrow" | "name" | undefined;
} & Pick<
  ComponentProps<"input">,
  | "autoComplete"
  | "inputMode"
  | "maxLength"
  | "onBlur"
  | "onKeyDown"
  | "placeholder"
  | "required"
  | "spellCheck"
  | "type"
>) {
  const field = useId();
  const notes = [hint && `${field}-hint`, mistake && `${field}-mistake`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={field}>{label}</label>
      <input
        {...rest}
        id={field}
        className={look ? `input ${look}` : "input"}
        value={value}
        aria-invalid={mistake ? true : undefined}
        aria-describedby={notes || undefined}
        onChange={(event) => onChange(event.target.value)}
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
