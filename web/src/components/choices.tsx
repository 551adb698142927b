// Choices: cards with explanations, a row of short options, lists, on/off switches, and the theme.
import { useId, type ComponentProps, type ReactNode, useState } from "react";

import { namesIn, type Entry } from "../domain/glossary";
import "./components.css";

/** A choice between a few options, each with a title (its accessible name) and a sentence. */
export function RadioCards<T extends string>({
  label,
  cards,
  value,
  onChange,
}: {
  label: string;
  cards: Record<T, Entry>;
  value: T;
  onChange(value: T): void;
}) {
  const id = useId();
  return (
    <fieldset className="bare stack tight">
      <legend className="label">{label}</legend>
      {namesIn(cards).map((name) => (
        <label key={name} className="radio-card">
          <input
            type="radio"
            name={id}
            checked={name === value}
            aria-labelledby={`${id}-${name}`}
            aria-describedby={`${id}-${name}-text`}
            onChange={() => onChange(name)}
          />
          <span>
            <span id={`${id}-${name}`} className="strong">
              {cards[name].title}
            </span>
            <span id={`${id}-${name}-text`} className="hint">
              {cards[name].text}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** A choice between a few short options in a row: radio buttons that look like a switch. */
export function SegmentedControl<T extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly (readonly [T, string])[];
  value: T;
  onChange(value: T): void;
}) {
  const name = useId();
  return (
    <fieldset className="segmented">
      <legend className="visually-hidden">{label}</legend>
      {options.map(([option, text]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

/** An on/off switch of a setting on the server. It shows the new state while the change is pending. */
export function Toggle({
  label,
  checked,
  change,
  describedBy,
}: {
  label: string;
  checked: boolean;
  change: { isPending: boolean; variables: unknown; mutate(next: boolean): void };
  describedBy?: string;
}) {
  return (
    <input
      type="checkbox"
      role="switch"
      className="toggle"
      aria-label={label}
      aria-describedby={describedBy}
      checked={change.isPending ? change.variables === true : checked}
      onChange={(event) => change.mutate(event.target.checked)}
    />
  );
}

export function Checkbox({
  checked,
  onChange,
  disabled = false,
  children,
}: {
  checked: boolean;
  onChange(checked: boolean): void;
  disabled?: boolean;
  children: ReactNode; // its label
}) {
  return (
    <label className="checkbox">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  );
}

/** A drop-down list. */
export function Select<T extends string>({
  options,
  value,
  onChange,
  look = "",
  ...rest
}: {
  options: readonly (readonly [T, ReactNode])[]; // values with their texts
  value: T;
  onChange(value: T): void;
  look?: string; // further classes
  id?: string;
  "aria-label"?: string;
  "aria-describedby"?: string | undefined;
}) {
  return (
    <select
      className={`select ${look}`}
      value={value}
      onChange={(event) => onChange(event.target.value as T)}
      {...rest}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A drop-down list with its label: above it, small or as for fields, or in a row with it. */
export function SelectField<T extends string>({
  label,
  hint,
  layout = "labelled",
  ...rest
}: {
  label: string;
  hint?: string;
  layout?: "labelled" | "field" | "row";
} & ComponentProps<typeof Select<T>>) {
  const id = useId();
  return (
    <div className={layout}>
      <label htmlFor={id}>{label}</label>
      <Select {...rest} id={id} aria-describedby={hint && `${id}-hint`} />
      {hint && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
    </div>
  );
}

const THEMES = [
  ["system", "Auto"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;
type Theme = (typeof THEMES)[number][0];
const KEY = "unround-theme";

export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(
    () => (document.documentElement.dataset["theme"] as Theme | undefined) ?? "system",
  );
  const choose = (next: Theme) => {
    setTheme(next);
    if (next === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = next;
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Storage may be forbidden: the choice lasts as long as the page.
    }
  };
  return <SegmentedControl label="Theme" options={THEMES} value={theme} onChange={choose} />;
}
