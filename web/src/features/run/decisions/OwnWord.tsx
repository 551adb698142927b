// A small form for a decision or a tag of the chair's own.
import { useState } from "react";

import { TextField } from "../../../components/TextField";

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
      <TextField
        label={label}
        value={text}
        onChange={setText}
        maxLength={MOST_LETTERS}
        autoComplete="off"
        mistake={wrong ? "One word, such as best-paper" : undefined}
      />
      <button type="submit" className="button" disabled={!word || wrong}>
        {action}
      </button>
    </form>
  );
}
