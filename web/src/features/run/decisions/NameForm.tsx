// A small form for a name: of a decision, a tag or a view.
import { Form } from "../../../components/fields";
import { Button, CloseMenu } from "../../../components/buttons";
import { useContext, useId, useState } from "react";

const MOST_LETTERS = 60;

export function NameForm({
  label,
  action,
  oneWord = false,
  stays = false,
  onName,
}: {
  label: string;
  action: string;
  oneWord?: boolean; // without spaces, commas and semicolons
  stays?: boolean; // the menu that it is in stays open
  onName(word: string): void;
}) {
  const [text, setText] = useState("");
  const close = useContext(CloseMenu);
  const hint = useId();
  const word = text.trim();
  const wrong = oneWord && /[\s,;]/.test(word);
  return (
    <Form
      className="name-form"
      onSubmit={() => {
        if (!word || wrong) return;
        onName(word);
        setText("");
        if (!stays) close();
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
    </Form>
  );
}
