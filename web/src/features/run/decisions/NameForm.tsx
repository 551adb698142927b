// A small form for a name: of a decision, a tag or a view.
import { Form, TextField } from "../../../components/fields";
import { Button, CloseMenu } from "../../../components/buttons";
import { useContext, useState } from "react";

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
  const word = text.trim();
  const wrong = oneWord && /[\s,;]/.test(word);
  return (
    <Form
      className="row end name-form"
      onSubmit={() => {
        if (!word || wrong) return;
        onName(word);
        setText("");
        if (!stays) close();
      }}
    >
      <TextField
        label={label}
        maxLength={MOST_LETTERS}
        autoComplete="off"
        value={text}
        mistake={wrong ? "One word, such as best-paper" : undefined}
        onChange={setText}
      />
      <Button type="submit" disabled={!word || wrong}>
        {action}
      </Button>
    </Form>
  );
}
