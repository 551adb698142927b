// What the server answers to a question, asked again when the question changes.
import { useCallback, useEffect, useState } from "react";

import { get, type RequestProblem } from "../api/client";

export interface Answer<T> {
  data: T | null;
  problem: RequestProblem | null;
  again(): void;
}

/** `page`: whoever comes to another page gets a new answer, not the one of the page before. */
export function useAnswer<T>(path: string | null, page = ""): Answer<T> {
  const question = path === null ? null : `${page} ${path}`;
  const [state, setState] = useState<{
    question: string | null;
    data: T | null;
    problem: RequestProblem | null;
  }>({ question: null, data: null, problem: null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (path === null) return;
    const control = new AbortController();
    get<T>(path, control.signal).then(
      (data) => setState({ question, data, problem: null }),
      (problem: unknown) => {
        if (!control.signal.aborted)
          setState({ question, data: null, problem: problem as RequestProblem });
      },
    );
    return () => control.abort();
  }, [path, question, round]);
  const again = useCallback(() => setRound((value) => value + 1), []);
  const current = state.question === question;
  return { data: current ? state.data : null, problem: current ? state.problem : null, again };
}
