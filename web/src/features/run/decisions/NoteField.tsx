// A note that saves itself: when typing pauses, and when the field or the page is left.
import { useId, useRef, useState } from "react";

import { wordsOf } from "../../../api/errors";
import { useLatest } from "../../../components/useLatest";
import { useLeaving } from "../../../components/useLeaving";
import type { Marking } from "../context";

const PAUSE = 800; // ms
const MOST_LETTERS = 20_000;

export function NoteField({ id, note, marking }: { id: string; note: string; marking: Marking }) {
  const [text, setText] = useState(note);
  const [state, setState] = useState("");
  const [failed, setFailed] = useState(false);
  const saved = useRef(note);
  const timer = useRef<number | undefined>(undefined);
  const field = useId();
  const save = useLatest(async () => {
    window.clearTimeout(timer.current);
    if (text === saved.current || failed) return;
    const before = saved.current;
    saved.current = text;
    try {
      setState("Saving…");
      await marking.writeNote(id, text, before);
      setState("Saved");
    } catch (failure) {
      saved.current = before;
      setFailed(true);
      setState(wordsOf(failure as Error));
    }
  });
  useLeaving(save);
  return (
    <div className="field">
      <label htmlFor={field}>Note</label>
      <textarea
        id={field}
        className="input note"
        rows={3}
        dir="auto"
        maxLength={MOST_LETTERS}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setFailed(false);
          setState("");
          window.clearTimeout(timer.current);
          timer.current = window.setTimeout(() => void save(), PAUSE);
        }}
        onBlur={() => void save()}
      />
      <span role={failed ? "alert" : "status"} className={failed ? "bad-text" : "hint"}>
        {state}
      </span>
    </div>
  );
}
