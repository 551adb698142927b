// What the chairs say of one paper: its decision, tags and note, and who changed them when.
import { useRef, useState, useEffect } from "react";

import { Card } from "../../../components/Card";
import { TextArea } from "../../../components/fields";
import { SelectField } from "../../../components/choices";
import { decisionOf, isImported, labelsOf } from "../../../domain/decisions";
import { useRun, type Marking } from "../context";
import { NameForm } from "./NameForm";
import { useMarkChange } from "./useMarkChange";
import { errorMessage } from "../../../api/errors";
import { useLatestCallback, usePageLeave } from "../../../components/browser";
import type { PaperChange } from "../../../api/types";
import { Time } from "../../../components/tables";
import "./decisions.css";

export function PaperDecision({ paper }: { paper: number }) {
  const { run, actions } = useRun();
  const change = useMarkChange();
  const { marks } = run;
  if (!marks || !actions.marking) return null;
  const id = String(run.view.papers.paper[paper]);
  const decision = marks.decision[paper] ?? null;
  const tags = marks.tags[paper] ?? [];
  const { message, apply } = change;
  const { writeNote } = actions.marking;
  const decide = (label: string | null) =>
    apply(label ?? "Decision removed", (marking) => marking.decide([id], label));
  return (
    <Card title="Decision, tags and note" look="tight no-print">
      <div className="row end">
        <SelectField
          label="Decision"
          options={[["", "No decision"], ...labelsOf(run).map((label) => [label, label] as const)]}
          value={decision ?? ""}
          onChange={(label) => decide(label || null)}
        />
        <NameForm label="A decision of your own" action="Decide" onName={decide} />
        {isImported(run, paper) && (
          <span className="hint">In the files: {decisionOf(run, paper)}</span>
        )}
        <ul className="tag-list" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag} className="tag">
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
      {message?.error && (
        <p role="alert" className="bad-text">
          {message.text}
        </p>
      )}
      <NoteField
        key={id}
        note={marks.note[paper] ?? ""}
        save={(text, before) => writeNote(id, text, before)}
      />
      <PaperHistory
        key={`history ${id}`}
        id={id}
        version={marks.version}
        marking={actions.marking}
      />
      <p className="hint">Saved with the conference, for all its runs. Only chairs see this.</p>
    </Card>
  );
}

const DEBOUNCE = 800; // ms
const MOST_LETTERS = 20_000;

/** A note that saves itself: when typing pauses, and when the field or the page is left. */
export function NoteField({
  label = "Note",
  compact = false,
  note,
  save: send,
}: {
  label?: string;
  compact?: boolean; // in a cell of a table, without a visible label
  note: string;
  save(text: string, before: string): Promise<void>;
}) {
  const [text, setText] = useState(note);
  const [state, setState] = useState("");
  const [failed, setFailed] = useState(false);
  const saved = useRef(note);
  const timer = useRef<number | undefined>(undefined);
  const save = useLatestCallback(async () => {
    window.clearTimeout(timer.current);
    if (text === saved.current || failed) return;
    const before = saved.current;
    saved.current = text;
    try {
      setState("Saving…");
      await send(text, before);
      setState("Saved");
    } catch (failure) {
      saved.current = before;
      setFailed(true);
      setState(errorMessage(failure as Error));
    }
  });
  usePageLeave(save);
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
          setFailed(false);
          setState("");
          window.clearTimeout(timer.current);
          timer.current = window.setTimeout(() => void save(), DEBOUNCE);
        }}
        onBlur={() => void save()}
      />
      <span role={failed ? "alert" : "status"} className={failed ? "bad-text" : "hint"}>
        {state}
      </span>
    </div>
  );
}

/** Who changed a paper's marks, and when; fetched when it is opened. */
function PaperHistory({
  id,
  version,
  marking,
}: {
  id: string;
  version: number; // of the marks
  marking: Marking;
}) {
  const [open, setOpen] = useState(false);
  const [changes, setChanges] = useState<PaperChange[] | string | null>(null);
  useEffect(() => {
    if (!open) return;
    let current = true;
    const put = (found: PaperChange[] | string) => current && setChanges(found);
    marking.history(id).then(put, (failure: Error) => put(errorMessage(failure)));
    return () => {
      current = false;
    };
  }, [open, id, version, marking]);
  return (
    <details className="paper-history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>History</summary>
      {typeof changes === "string" && <p className="bad-text">{changes}</p>}
      {Array.isArray(changes) && !changes.length && <p className="hint">No changes yet.</p>}
      {Array.isArray(changes) && (
        <ul>
          {changes.map((change, place) => (
            <li key={place}>
              <Time at={change.at} /> <span className="soft">{change.who}:</span> {inWords(change)}
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

function inWords({ field, before, after }: PaperChange): string {
  if (field === "tag") return after ? `tag ${after} added` : `tag ${before} removed`;
  if (field === "note") return after ? `note: “${after}”` : "note removed";
  if (!after) return `decision ${before} removed`;
  return before ? `${before} → ${after}` : after;
}
