// A choice between a few options, each with a title (its accessible name) and a sentence.
import { useId } from "react";

import { namesIn, type Entry } from "../domain/glossary";
import "./radio-cards.css";

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
