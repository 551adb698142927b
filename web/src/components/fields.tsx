// Forms, fields for texts and numbers with their labels, and the button that chooses files.
import { useId, useState, type ComponentProps, type ReactNode } from "react";

/** A form that the page itself submits. */
export function Form({
  onSubmit,
  ...rest
}: { onSubmit(): void } & Omit<ComponentProps<"form">, "onSubmit">) {
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      {...rest}
    />
  );
}

/** A text field with its label, a hint and what is wrong with its value. */
export function TextField({
  label,
  value,
  onChange,
  hint,
  mistake,
  look,
  beside = false,
  ...rest
}: {
  label: string;
  value: string;
  onChange(value: string): void;
  hint?: ReactNode;
  mistake?: string | undefined;
  look?: "narrow" | "name" | "days number" | "accept number" | undefined;
  beside?: boolean; // the label in front of the field, not above
} & Pick<
  ComponentProps<"input">,
  | "autoComplete"
  | "inputMode"
  | "list"
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
    <div className={beside ? "row" : "field"}>
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

/** A text field whose value is committed on Enter or on leaving the field. */
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
  list?: string; // of suggestions
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

/** A text of several lines. */
export function TextArea({
  label,
  labelHidden = false,
  onChange,
  ...rest
}: { label: string; labelHidden?: boolean; onChange(value: string): void } & Omit<
  ComponentProps<"textarea">,
  "onChange"
>) {
  const field = useId();
  return (
    <div className="field">
      <label htmlFor={field} className={labelHidden ? "visually-hidden" : ""}>
        {label}
      </label>
      <textarea
        id={field}
        className="input"
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      />
    </div>
  );
}

/** A button that lets the reader choose files. */
export function FileButton({
  text,
  onFiles,
  ...rest
}: { text: string; onFiles(files: File[]): void } & Pick<
  ComponentProps<"input">,
  "accept" | "disabled" | "multiple"
>) {
  const field = useId();
  return (
    <>
      <label className="button file-button" htmlFor={field}>
        {text}
      </label>
      <input
        {...rest}
        id={field}
        type="file"
        className="visually-hidden"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = ""; // the same file may be chosen again
          if (files.length) onFiles(files);
        }}
      />
    </>
  );
}
