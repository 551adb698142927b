// A modal dialog. The browser keeps the focus inside; Escape asks `onClose`, which may keep it open.
import { useEffect, useId, useRef, type ReactNode } from "react";

import "./dialog.css";

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
