// "Do you mean it?", before something that cannot be taken back.
import { useState, type ReactNode } from "react";

import { wordsOf } from "../api/client";
import { Dialog } from "./Dialog";
import { Notice } from "./Notice";

export function Confirm({
  title,
  action,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  action: string; // what the button says
  onConfirm(): Promise<unknown>;
  onClose(): void;
  children: ReactNode;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setProblem(wordsOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <div className="row">
        <button type="button" className="button danger" disabled={busy} onClick={confirm}>
          {action}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Keep it
        </button>
      </div>
    </Dialog>
  );
}
