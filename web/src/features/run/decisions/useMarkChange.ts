// A change of papers' marks, with what came of it in words and the way to undo it.
import { useState } from "react";

import { counted } from "../../../domain/format";
import { type Marking, type Outcome, useActions } from "../context";

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
