// A question before something that cannot be undone.
import type { ReactNode } from "react";

import { Dialog } from "./Dialog";
import { ErrorNotice } from "./Notice";

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
