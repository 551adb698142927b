// A change of many papers, with what came of it in words and the way to undo it.
import { useState } from "react";

import { errorMessage } from "../../../api/errors";
import { counted } from "../../../domain/format";
import { useRun, type Marking, type Outcome } from "../context";

interface Message {
  text: string;
  undo: string | null; // the batch
  error: boolean;
}

export interface MarkChange {
  message: Message | null;
  busy: boolean;
  apply(what: string, change: (marking: Marking) => Promise<Outcome>): void;
  undo(): void;
  dismiss(): void;
}

export function useMarkChange(): MarkChange {
  const { marking } = useRun().actions;
  const [message, setMessage] = useState<Message | null>(null);
  const [busy, setBusy] = useState(false);
  const attempt = async (change: (marking: Marking) => Promise<Message>) => {
    if (!marking) return;
    setBusy(true);
    try {
      setMessage(await change(marking));
    } catch (failure) {
      setMessage({ text: errorMessage(failure as Error), undo: null, error: true });
    }
    setBusy(false);
  };
  const apply: MarkChange["apply"] = (what, change) =>
    void attempt(async (to) => {
      const { batch, papers } = await change(to);
      const text = papers ? `${what}: ${counted(papers, "paper")}.` : `${what}: nothing to change.`;
      return { text, undo: batch, error: false };
    });
  const undo = () =>
    void attempt(async (to) => {
      const { papers, kept } = await to.undo(message?.undo ?? "");
      const rest = kept
        ? ` ${counted(kept, "paper")} changed since then and stay as they are.`
        : "";
      return { text: `Undone: ${counted(papers, "paper")}.${rest}`, undo: null, error: false };
    });
  return { message, busy, apply, undo, dismiss: () => setMessage(null) };
}
