// A choice of a few, each with a sentence. The name is the title alone; the sentence describes it.
import { useId } from "react";

import "./radio-cards.css";

export interface Card<T extends string> {
  value: T;
  title: string;
  words: string;
}

export function RadioCards<T extends string>({
  label,
  cards,
  value,
  onChange,
}: {
  label: string;
  cards: readonly Card<T>[];
  value: T;
  onChange(value: T): void;
}) {
  const id = useId();
  return (
    <fieldset className="bare stack tight">
      <legend className="label">{label}</legend>
      {cards.map((card) => (
        <label key={card.value} className="radio-card">
          <input
            type="radio"
            name={id}
            checked={card.value === value}
            aria-labelledby={`${id}-${card.value}`}
            aria-describedby={`${id}-${card.value}-words`}
            onChange={() => onChange(card.value)}
          />
          <span>
            <span id={`${id}-${card.value}`} className="strong">
              {card.title}
            </span>
            <span id={`${id}-${card.value}-words`} className="hint">
              {card.words}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
