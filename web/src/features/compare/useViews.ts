// The views of several runs. Each is fetched once: results never change.
import { useEffect, useState } from "react";

import { get, type RequestProblem } from "../../api/client";
import { openRun, type Run, type View } from "../../domain/run";

export interface Views {
  runs: Run[] | null;
  problem: RequestProblem | null;
}

export function useViews(ids: string): Views {
  const [state, setState] = useState<Views & { of: string }>({
    of: "",
    runs: null,
    problem: null,
  });
  useEffect(() => {
    if (!ids) return;
    const control = new AbortController();
    const wanted = ids
      .split(",")
      .map((id) => get<View>(`runs/${encodeURIComponent(id)}/view`, control.signal));
    Promise.all(wanted).then(
      (views) => setState({ of: ids, runs: views.map(openRun), problem: null }),
      (problem: unknown) => {
        if (!control.signal.aborted)
          setState({ of: ids, runs: null, problem: problem as RequestProblem });
      },
    );
    return () => control.abort();
  }, [ids]);
  return state.of === ids ? state : { runs: null, problem: null };
}
