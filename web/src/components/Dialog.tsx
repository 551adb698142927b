// Modal dialogs: any content, a question before something that cannot be undone, another name.
import { useEffect, useId, useRef, useState, type ReactNode } from "react";

import { Form, TextField } from "./fields";
import { Button, type Look } from "./buttons";
import { ErrorNotice } from "./Notice";
import "./components.css";

/** The browser keeps the focus inside; Escape calls `onClose`, which may keep the dialog open. */
export function Dialog({
  title,
  onClose,
  children,
  wide = false,
}: {
  title: string;
  onClose(): void;
  children: ReactNode;
  wide?: boolean;
}) {
  const frame = useRef<HTMLDialogElement>(null);
  const name = useId();
  useEffect(() => {
    const dialog = frame.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={frame}
      className={wide ? "dialog wide" : "dialog"}
      aria-labelledby={name}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={() => {
        // A browser closes it on a second Escape without asking.
        if (!frame.current || frame.current.open) return;
        frame.current.showModal();
        onClose();
      }}
    >
      <div className="row spread dialog-title">
        <h2 id={name}>{title}</h2>
        <Button look="quiet" aria-label="Close" onClick={onClose}>
          <span aria-hidden="true">✕</span>
        </Button>
      </div>
      <div className="stack">{children}</div>
    </dialog>
  );
}

/** A question before something that cannot be undone. */
export function Confirm({
  title,
  action,
  busy,
  error,
  onConfirm,
  onClose,
  keep = "Keep it",
  children,
}: {
  title: string;
  action: string; // the text of the button
  busy: boolean;
  error: Error | null;
  onConfirm(): void;
  onClose(): void;
  keep?: string;
  children: ReactNode;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <ErrorNotice error={error} />
      <div className="row">
        <Button look="danger" disabled={busy} onClick={onConfirm}>
          {action}
        </Button>
        <Button onClick={onClose}>{keep}</Button>
      </div>
    </Dialog>
  );
}

/** A button that asks before a change. */
export function ConfirmButton<Input>({
  text,
  label,
  look = "quiet danger",
  changing,
  input,
  ...question
}: {
  text: string;
  label?: string; // says more than the text
  look?: Look;
  changing: {
    isPending: boolean;
    error: Error | null;
    mutate(input: Input, options: { onSuccess(): void }): void;
  };
  input: Input; // of the change
  title: string;
  action: string;
  children: ReactNode;
}) {
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <Button look={look} aria-label={label} onClick={() => setAsking(true)}>
        {text}
      </Button>
      {asking && (
        <Confirm
          busy={changing.isPending}
          error={changing.error}
          onConfirm={() => changing.mutate(input, { onSuccess: close })}
          onClose={close}
          {...question}
        />
      )}
    </>
  );
}

/** The button and the dialog that give something another name. */
export function RenameButton({
  what,
  name,
  look = "",
  renaming,
}: {
  what: string;
  name: string;
  look?: Look; // of the button
  renaming: {
    isPending: boolean;
    error: Error | null;
    mutate(name: string, options: { onSuccess(): void }): void;
  };
}) {
  const [text, setText] = useState<string | null>(null); // null: the dialog is closed
  const close = () => setText(null);
  return (
    <>
      <Button look={look} onClick={() => setText(name)} aria-label={`Rename ${name}`}>
        Rename
      </Button>
      {text !== null && (
        <Dialog title={`Rename ${what}`} onClose={close}>
          <Form onSubmit={() => renaming.mutate(text.trim(), { onSuccess: close })}>
            <TextField label="Name" required maxLength={200} value={text} onChange={setText} />
            <ErrorNotice error={renaming.error} />
            <div className="row">
              <Button type="submit" look="primary" disabled={renaming.isPending || !text.trim()}>
                Rename
              </Button>
            </div>
          </Form>
        </Dialog>
      )}
    </>
  );
}
