// The line that is kept with a run: saved when the chair has stopped moving it, or leaves the page.
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef } from "react";

import { api, outlivingPage } from "../../api/client";
import type { RunInfo } from "../../api/types";
import { runInfoQuery } from "../../app/queries";
import { useLeaving } from "../../components/hooks";
import { keptLine, type Accept } from "../../domain/line";

const PAUSE = 700; // ms

type KeptLine = RunInfo["line"];

export const acceptOf = (line: KeptLine): Accept | null =>
  line && { amount: line.amount, percent: line.percent, perTrack: line.per_track };

/** Returns the function that keeps a line. */
export function useKeptLine(run: string): (accept: Accept | null) => void {
  const client = useQueryClient();
  const waiting = useRef<{ timer: number; send(): void } | null>(null);
  useLeaving(useCallback(() => waiting.current?.send(), []));
  return useMemo(() => {
    const key = runInfoQuery(run).queryKey;
    return (accept) => {
      const line: KeptLine = accept && keptLine(accept);
      client.setQueryData(key, (old) => old && { ...old, line });
      if (waiting.current) window.clearTimeout(waiting.current.timer);
      const send = () => {
        if (waiting.current) window.clearTimeout(waiting.current.timer);
        waiting.current = null;
        const body = { line };
        api
          .PATCH("/api/runs/{run}", { params: { path: { run } }, body, ...outlivingPage(body) })
          .catch(() => client.invalidateQueries({ queryKey: key }));
      };
      waiting.current = { timer: window.setTimeout(send, PAUSE), send };
    };
  }, [client, run]);
}
