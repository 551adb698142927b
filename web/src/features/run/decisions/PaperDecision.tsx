// What the chairs say of one paper: its decision, tags and note.
import { useCallback, useEffect, useRef, useState } from "react";

import { Button } from "../../../components/buttons";
import { Card } from "../../../components/Card";
import { TextArea } from "../../../components/fields";
import { decisionOf, isImported } from "../../../domain/decisions";
import { useActions, useRun, type UnsavedChange } from "../context";
import { NameForm } from "./NameForm";
import { decisionOptions, SavedChoice } from "./SavedChoice";
import { useMarkChange } from "./BulkBar";
import { useLatestCallback, usePageLeave } from "../../../components/browser";
import "./decisions.css";

export function PaperDecision({ paper }: { paper: number }) {
  const { run } = useRun();
  const actions = useActions();
  const change = useMarkChange();
  const { marks } = run;
  if (!marks || !actions.marking) return null;
  const id = String(run.view.papers.paper[paper]);
  const decision = marks.decision[paper] ?? null;
  const tags = marks.tags[paper] ?? [];
  const { apply } = change;
  const { writeNote } = actions.marking;
  const decide = (label: string | null) =>
    apply(label ?? "Decision removed", (marking) => marking.decide([id], label));
  return (
    <Card title="Decision, tags and note" look="tight no-print">
      <div className="row end">
        <div className="labelled">
          <span aria-hidden="true">Decision</span>
          <SavedChoice
            label={`Decision on paper ${id}`}
            text={decision ?? "No decision"}
            change={actions.saving?.of("decision", id)}
            look="framed"
            options={decisionOptions(run)}
            value={decision ?? ""}
            onChoose={(label) => decide(label || null)}
          />
        </div>
        <NameForm label="A decision of your own" action="Decide" onName={decide} />
        {isImported(run, paper) && (
          <span className="hint">In the files: {decisionOf(run, paper)}</span>
        )}
        <ul className="bare row tight" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag} className="badge tag">
              {tag}
              <button
                type="button"
                aria-label={`Remove the tag ${tag}`}
                onClick={() => apply(`−${tag}`, (marking) => marking.tag([id], [], [tag]))}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
        <NameForm
          label="A new tag"
          action="Add"
          oneWord
          onName={(tag) => apply(`+${tag}`, (marking) => marking.tag([id], [tag], []))}
        />
      </div>
      <NoteField
        key={id}
        note={marks.note[paper] ?? ""}
        unsaved={actions.saving?.of("note", id)}
        save={(text, before, leaving) => writeNote(id, text, before, leaving)}
      />
      {actions.history?.(id)}
      <p className="hint">Saved with the conference, for all its runs. Only chairs see this.</p>
    </Card>
  );
}

const DEBOUNCE = 800; // ms
const MOST_LETTERS = 20_000;
const NOT_SAVED = "Not saved";

/** A note that saves itself: when typing pauses, and when the field or the page is left. What could not be
 * saved is in the field again when one comes back. */
export function NoteField({
  label = "Note",
  compact = false,
  note,
  unsaved,
  save: send,
}: {
  label?: string;
  compact?: boolean; // in a cell of a table, without a visible label
  note: string;
  unsaved?: UnsavedChange | undefined; // of this note
  /** Answers null where it is not saved. `leaving`: at once, since the page may be gone in a moment. */
  save(text: string, before: string, leaving: boolean): Promise<unknown>;
}) {
  const [text, setText] = useState(unsaved?.text ?? note);
  const [state, setState] = useState("");
  const saved = useRef(note); // the note that this one was made from
  const failed = useRef(unsaved?.text); // a text that is not sent again by itself
  const sending = useRef(false);
  const timer = useRef<number | undefined>(undefined);
  const save = useLatestCallback(async (leaving: boolean) => {
    window.clearTimeout(timer.current);
    if (text === saved.current || text === failed.current) return;
    if (sending.current && !leaving) return; // until the one before has arrived
    const before = saved.current;
    [sending.current, saved.current] = [true, text];
    setState("Saving…");
    const answer = await send(text, before, leaving);
    sending.current = false;
    if (answer === null) [saved.current, failed.current] = [before, text];
    setState(answer === null ? NOT_SAVED : "Saved");
  });
  usePageLeave(useCallback(() => save(true), [save]));
  useEffect(() => {
    // What was typed while the text before was sent.
    if (state === "Saved") timer.current = window.setTimeout(save, DEBOUNCE, false);
  }, [state, save]);
  const waiting = useRef(unsaved);
  useEffect(() => {
    // Saved after all, where it was tried again.
    if (waiting.current?.text === note && !unsaved) saved.current = note;
    waiting.current = unsaved;
  }, [unsaved, note]);
  const tried = unsaved && (unsaved.busy ? "Saving…" : NOT_SAVED);
  const arrived = text.trim() === note.trim();
  const told = tried ?? (arrived && state ? "Saved" : state === "Saved" ? "" : state);
  return (
    <div className="field">
      <TextArea
        label={label}
        labelHidden={compact}
        className={`input note ${compact ? "compact" : ""}`}
        rows={compact ? 1 : 3}
        dir="auto"
        placeholder={compact ? "Add a note" : undefined}
        maxLength={MOST_LETTERS}
        value={text}
        onChange={(next) => {
          setText(next);
          setState("");
          failed.current = undefined;
          window.clearTimeout(timer.current);
          timer.current = window.setTimeout(save, DEBOUNCE, false);
        }}
        onBlur={() => save(false)}
      />
      {unsaved?.conflict && !unsaved.busy && (
        <div className="row">
          <span className="pre-line">Somebody else has written: “{note}”</span>
          <Button
            onClick={() => {
              saved.current = note;
              setText([note, text].filter(Boolean).join("\n\n"));
              timer.current = window.setTimeout(save, 0, false);
            }}
          >
            Keep both
          </Button>
        </div>
      )}
      <span role="status" className={told === NOT_SAVED ? "bad-text" : "hint"}>
        {told}
      </span>
    </div>
  );
}
