// Modal dialogs: any content, a question before something that cannot be undone, another name.
import { useEffect, useId, useRef, useState, type ReactNode } from "react";

import { ErrorNotice } from "./Notice";
import { TextField } from "./fields";
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
        <button type="button" className="button quiet" aria-label="Close" onClick={onClose}>
          <span aria-hidden="true">✕</span>
        </button>
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
        <button type="button" className="button danger" disabled={busy} onClick={onConfirm}>
          {action}
        </button>
        <button type="button" className="button" onClick={onClose}>
          {keep}
        </button>
      </div>
    </Dialog>
  );
}

interface Props {
  what: string;
  name: string;
  busy: boolean;
  error: Error | null;
  onRename(name: string): void;
  onClose(): void;
}

export function RenameDialog({ what, name, busy, error, onRename, onClose }: Props) {
  const [text, setText] = useState(name);
  return (
    <Dialog title={`Rename ${what}`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onRename(text.trim());
        }}
      >
        <TextField label="Name" required maxLength={200} value={text} onChange={setText} />
        <ErrorNotice error={error} />
        <div className="row">
          <button type="submit" className="button primary" disabled={busy || !text.trim()}>
            Rename
          </button>
        </div>
      </form>
    </Dialog>
  );
}
