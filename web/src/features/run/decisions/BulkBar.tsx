// Decisions and tags for many papers: selecting them, changing them, taking over those of the files.
import { useState } from "react";

import { Confirm } from "../../../components/Dialog";
import { Checkbox } from "../../../components/choices";
import { Button, MenuItem, Menu } from "../../../components/buttons";
import { counted } from "../../../domain/format";
import { importedLeft, labelsOf, tagsInUse, tagText } from "../../../domain/decisions";
import { useRun, type Marking, type Outcome, useActions } from "../context";
import { NameForm } from "./NameForm";
import type { Selection } from "../papers/useRowKeys";
import { DECISIONS } from "../../../domain/glossary";

const MOST_UNASKED = 50; // papers that are decided on at once without a question

/** The bar below the table: decisions and tags for all selected papers, and Undo for the last change. */
export function BulkBar({ selection, change }: { selection: Selection; change: MarkChange }) {
  const { run } = useRun();
  const { papers } = selection;
  const { message, busy } = change;
  const [asked, setAsked] = useState<{ label: string | null } | null>(null);
  if (!papers.length && !message) return null;
  const ids = () => papers.map((paper) => String(run.view.papers.paper[paper]));
  const apply = (label: string | null) =>
    change.apply(label ?? "Decision removed", (marking) => marking.decide(ids(), label));
  const decide = (label: string | null) =>
    papers.length > MOST_UNASKED ? setAsked({ label }) : apply(label);
  const tag = (add: string[], remove: string[]) =>
    change.apply(tagText(add, remove), (marking) => marking.tag(ids(), add, remove));
  return (
    <div className="bulk-bar raised no-print" role="region" aria-label="Selected papers">
      {papers.length > 0 && (
        <div className="row">
          <strong>{counted(papers.length, "paper")} selected</strong>
          {DECISIONS.map((label) => (
            <Button key={label} disabled={busy} onClick={() => decide(label)}>
              {label}
            </Button>
          ))}
          <OtherDecisions decide={decide} />
          <TagMenu papers={papers} tag={tag} />
          <Button look="quiet" onClick={() => selection.choose([])}>
            Select none
          </Button>
        </div>
      )}
      {asked && (
        <Confirm
          title={`${asked.label ?? "No decision"} for ${counted(papers.length, "paper")}?`}
          action={`${asked.label ?? "Remove the decision"}: ${counted(papers.length, "paper")}`}
          keep="Change nothing"
          busy={busy}
          error={null}
          onClose={() => setAsked(null)}
          onConfirm={() => {
            apply(asked.label);
            setAsked(null);
          }}
        >
          It can be undone later under “Last changes” on the page Runs.
        </Confirm>
      )}
      {message && (
        <div className="row" role="status">
          <span>{message.text}</span>
          {message.undo && (
            <Button disabled={busy} onClick={change.undo}>
              Undo
            </Button>
          )}
          <Button look="quiet" aria-label="Close this message" onClick={change.dismiss}>
            <span aria-hidden="true">✕</span>
          </Button>
        </div>
      )}
    </div>
  );
}

function OtherDecisions({ decide }: { decide(label: string | null): void }) {
  const { run } = useRun();
  const others = labelsOf(run).filter((label) => !DECISIONS.includes(label));
  return (
    <Menu text="Other decision">
      {others.map((label) => (
        <MenuItem key={label} onClick={() => decide(label)}>
          {label}
        </MenuItem>
      ))}
      <MenuItem onClick={() => decide(null)}>No decision</MenuItem>
      <NameForm label="A decision of your own" action="Decide" onName={decide} />
    </Menu>
  );
}

/** Tags in use: ticked where every selected paper has it. */
function TagMenu({
  papers,
  tag,
}: {
  papers: number[];
  tag(add: string[], remove: string[]): void;
}) {
  const { run } = useRun();
  return (
    <Menu text="Tags">
      {tagsInUse(run).map((name) => {
        const has = papers.every((paper) => run.marks?.tags[paper]?.includes(name));
        return (
          <Checkbox
            key={name}
            checked={has}
            onChange={() => (has ? tag([], [name]) : tag([name], []))}
          >
            {name}
          </Checkbox>
        );
      })}
      <NameForm label="A new tag" action="Add" oneWord onName={(name) => tag([name], [])} />
    </Menu>
  );
}

/** The offer to take over the decisions that came with the files. */
export function ImportedDecisions({ change }: { change: MarkChange }) {
  const { run } = useRun();
  const left = run.marks ? importedLeft(run) : 0;
  if (!left) return null;
  return (
    <p className="row no-print">
      <span className="hint">
        The files contain decisions that you have not taken over; they are shown pale.
      </span>
      <Button
        disabled={change.busy}
        onClick={() => change.apply("Taken from the import", (marking) => marking.takeImported())}
      >
        Take {counted(left, "decision")} from the import
      </Button>
    </p>
  );
}

interface Message {
  text: string;
  undo: string | null; // the batch
}

export interface MarkChange {
  message: Message | null; // of the last change that is saved
  busy: boolean;
  apply(what: string, change: (marking: Marking) => Promise<Outcome | null>): void;
  undo(): void;
  dismiss(): void;
}

export function useMarkChange(): MarkChange {
  const { marking, saving } = useActions();
  const [message, setMessage] = useState<Message | null>(null);
  const apply: MarkChange["apply"] = async (what, change) => {
    const outcome = marking ? await change(marking) : null;
    if (!outcome) return setMessage(null);
    const { batch, papers } = outcome;
    const text = papers ? `${what}: ${counted(papers, "paper")}.` : `${what}: nothing to change.`;
    setMessage({ text, undo: batch });
  };
  const undo = async () => {
    const outcome = await marking?.undo(message?.undo ?? "");
    if (!outcome) return;
    const { papers, kept } = outcome;
    const rest = kept ? ` ${counted(kept, "paper")} changed since then and stay as they are.` : "";
    setMessage({ text: `Undone: ${counted(papers, "paper")}.${rest}`, undo: null });
  };
  return {
    message,
    busy: saving?.changes.some(({ busy }) => busy) ?? false,
    apply,
    undo,
    dismiss: () => setMessage(null),
  };
}
