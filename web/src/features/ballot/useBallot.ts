// A ballot on the page: what the server confirmed, what the reviewer has changed since, and saving it.
import { useCallback, useEffect, useState } from "react";

import { usePageLeave } from "../../components/browser";
import { loadBallot, sendBallot, type Ballot, type BallotContent } from "./ballotApi";
import { DraftStore } from "./drafts";
import { Saver, type SaveState } from "./Saver";

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
