// Choices: cards with explanations, a row of short options, and an on/off switch.
import { useId, type ReactNode } from "react";

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
export function Switch<T extends string>({
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
    <fieldset className="switch">
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

/** A switch whose state the server keeps. It shows the new state while the change is pending. */
export function Toggle({
  label,
  checked,
  change,
  describedBy,
}: {
  label: string;
  checked: boolean;
  change: { isPending: boolean; variables: boolean | undefined; mutate(next: boolean): void };
  describedBy?: string;
}) {
  return (
    <input
      type="checkbox"
      role="switch"
      className="toggle"
      aria-label={label}
      aria-describedby={describedBy}
      checked={change.isPending ? change.variables : checked}
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

/** A drop-down list under its label; `options` are values with their texts. */
export function SelectField<T extends string>({
  label,
  options,
  value,
  onChange,
  look = "",
}: {
  label: string;
  options: readonly (readonly [T, ReactNode])[];
  value: T;
  onChange(value: T): void;
  look?: string; // further classes of the list
}) {
  return (
    <label className="labelled">
      <span>{label}</span>
      <select
        className={`select ${look}`}
        value={value}
        onChange={(event) => onChange(event.target.value as T)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
