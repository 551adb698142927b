// What the server answers to a question, asked again when the question changes.
import { useCallback, useEffect, useState } from "react";

import { get, type RequestProblem } from "../api/client";

export interface Answer<T> {
  data: T | null;
  problem: RequestProblem | null;
  again(): void;
}

export function useAnswer<T>(path: string | null): Answer<T> {
  const [state, setState] = useState<{
    path: string | null;
    data: T | null;
    problem: RequestProblem | null;
  }>({ path: null, data: null, problem: null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (path === null) return;
    const control = new AbortController();
    get<T>(path, control.signal).then(
      (data) => setState({ path, data, problem: null }),
      (problem: unknown) => {
        if (!control.signal.aborted)
          setState({ path, data: null, problem: problem as RequestProblem });
      },
    );
    return () => control.abort();
  }, [path, round]);
  const again = useCallback(() => setRound((value) => value + 1), []);
  const current = state.path === path;
  return { data: current ? state.data : null, problem: current ? state.problem : null, again };
}
