// How far a run has come, live; when the stream breaks, by asking every now and then.
import { useEffect, useState } from "react";

import { get, RequestProblem, type Schemas } from "../../api/client";
import { pause } from "../../app/pause";

export type Progress = Schemas["Progress"];

const ASK_EVERY = 2000; // ms

export const isOver = (status: Progress["status"]): boolean =>
  status !== "queued" && status !== "running";

export function useProgress(run: string, onEnd: () => void): Progress | null {
  const [progress, setProgress] = useState<Progress | null>(null);
  useEffect(() => {
    const control = new AbortController();
    const told = (next: Progress) => {
      if (control.signal.aborted) return;
      setProgress(next);
      if (!isOver(next.status)) return;
      control.abort();
      onEnd();
    };
    const source = new EventSource(`/api/runs/${run}/events`);
    control.signal.addEventListener("abort", () => source.close());
    source.addEventListener("progress", (event: MessageEvent<string>) =>
      told(JSON.parse(event.data) as Progress),
    );
    source.addEventListener("error", () => {
      source.close();
      void keepAsking(run, told, control.signal);
    });
    return () => control.abort();
  }, [run, onEnd]);
  return progress;
}

async function keepAsking(
  run: string,
  told: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      told((await get<Schemas["Run"]>(`runs/${run}`, signal)).progress);
    } catch (error) {
      // Out of reach for a while: the run goes on without us. Gone or not ours: nothing to wait for.
      if (error instanceof RequestProblem && [401, 404].includes(error.status)) return;
    }
    await pause(ASK_EVERY, signal);
  }
}
