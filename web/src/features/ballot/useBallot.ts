// A ballot as the server describes it, what the reviewer has changed since, and saving it.
import { useCallback, useEffect, useState } from "react";

import { usePageLeave } from "../../components/browser";
import { DraftStore } from "./drafts";
import { Saver, type SaveState } from "./Saver";
import { get, put } from "../../api/client";
import type { Save } from "./drafts";
import type * as server from "../../api/schema";

export interface OpenBallot {
  ballot: Ballot; // as last confirmed
  content: BallotContent; // as on the page
  state: SaveState;
  change(content: BallotContent): void;
  submit(): void;
  settle(which: "mine" | "theirs"): void;
  reload(): Promise<void>; // ask the server again
}

export function useBallot(loaded: Ballot): OpenBallot {
  const [saver] = useState(
    () =>
      new Saver(loaded.version, { send: sendBallot, load: loadBallot }, new DraftStore(loaded.id)),
  );
  const [ballot, setBallot] = useState(loaded);
  const [content, setContent] = useState(saver.unsaved ?? loaded.content);
  const [state, setState] = useState<SaveState>({ kind: saver.unsaved ? "saving" : "saved" });
  useEffect(() => {
    saver.start(setState, setBallot);
    const online = () => saver.flush();
    window.addEventListener("online", online);
    return () => {
      window.removeEventListener("online", online);
      saver.end();
    };
  }, [saver]);
  const leave = useCallback(() => saver.flush(true), [saver]);
  usePageLeave(leave);

  const reload = async () => {
    const newest = await loadBallot();
    const adopted = saver.adopt(newest);
    setBallot((known) => (adopted ? newest : { ...known, collection: newest.collection }));
    if (adopted) setContent(newest.content);
  };
  const change = (next: BallotContent, submit = false) => {
    setContent(next);
    saver.change(next, submit);
    // The next pair comes with the answer.
    if (ballot.collection.options.mode === "pairs") saver.flush();
  };
  return {
    ballot,
    content,
    state,
    change,
    submit: () => change(content, true),
    settle: (which) => {
      if (state.kind !== "conflict") return;
      if (which === "theirs") setContent(state.theirs.content);
      saver.settle(state.theirs, which === "mine" ? state.mine : null);
    },
    reload,
  };
}

// The schema calls optional what may be left out of a request; an answer has it all.
export type BallotContent = Required<server.BallotContent>;
export type BallotPaper = server.BallotPaper;
export type BallotOptions = Required<server.CollectionOptions>;

export interface Ballot extends Omit<server.Ballot, "content" | "collection"> {
  content: BallotContent;
  collection: Omit<server.Ballot["collection"], "options"> & { options: BallotOptions };
}

export type AnswerKind = BallotContent["answers"][number]["answer"];
export type PairOutcome = BallotContent["comparisons"][number]["outcome"];
export type Score = BallotContent["scores"][string];

export const loadBallot = async () => (await get("/api/ballot", {})) as Ballot;

export const sendBallot = async (save: Save, leaving: boolean) =>
  (await put("/api/ballot", {}, save, { leaving })) as Ballot;
