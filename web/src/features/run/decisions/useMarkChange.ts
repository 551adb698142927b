// A change of many papers, with what came of it in words and the way to undo it.
import { useState } from "react";

import { wordsOf } from "../../../api/errors";
import { counted } from "../../../domain/format";
import { useRun, type Marking, type Outcome } from "../context";

export interface Told {
  text: string;
  undo: string | null; // the batch
  error: boolean;
}

export interface MarkChange {
  told: Told | null;
  busy: boolean;
  make(what: string, change: (marking: Marking) => Promise<Outcome>): void;
  undo(): void;
  forget(): void;
}

export function useMarkChange(): MarkChange {
  const { marking } = useRun().actions;
  const [told, setTold] = useState<Told | null>(null);
  const [busy, setBusy] = useState(false);
  const attempt = async (change: (marking: Marking) => Promise<Told>) => {
    if (!marking) return;
    setBusy(true);
    try {
      setTold(await change(marking));
    } catch (failure) {
      setTold({ text: wordsOf(failure as Error), undo: null, error: true });
    }
    setBusy(false);
  };
  const make: MarkChange["make"] = (what, change) =>
    void attempt(async (to) => {
      const { batch, papers } = await change(to);
      const text = papers ? `${what}: ${counted(papers, "paper")}.` : `${what}: nothing to change.`;
      return { text, undo: batch, error: false };
    });
  const undo = () =>
    void attempt(async (to) => {
      const { papers, kept } = await to.undo(told?.undo ?? "");
      const rest = kept ? ` ${counted(kept, "paper")} changed since then and stay.` : "";
      return { text: `Undone: ${counted(papers, "paper")}.${rest}`, undo: null, error: false };
    });
  return { told, busy, make, undo, forget: () => setTold(null) };
}
