// A small form for a decision or a tag of the chair's own.
import { Button } from "../../../components/buttons";
import { useId, useState } from "react";

const MOST_LETTERS = 60;

export function OwnWord({
  label,
  action,
  oneWord = false,
  onWord,
}: {
  label: string;
  action: string;
  oneWord?: boolean; // without spaces, commas and semicolons
  onWord(word: string): void;
}) {
  const [text, setText] = useState("");
  const hint = useId();
  const word = text.trim();
  const wrong = oneWord && /[\s,;]/.test(word);
  return (
    <form
      className="own-word"
      onSubmit={(event) => {
        event.preventDefault();
        if (!word || wrong) return;
        onWord(word);
        setText("");
      }}
    >
      <label className="labelled">
        <span>{label}</span>
        <input
          className="input"
          value={text}
          maxLength={MOST_LETTERS}
          autoComplete="off"
          aria-invalid={wrong || undefined}
          aria-describedby={wrong ? hint : undefined}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Button type="submit" disabled={!word || wrong}>
        {action}
      </Button>
      {wrong && (
        <span id={hint} className="mistake">
          One word, such as best-paper
        </span>
      )}
    </form>
  );
}
