// The progress of a run: from the event stream, or by asking again and again when that breaks.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { addressOf, api, bodyOf } from "../../api/client";
import { hasStatus } from "../../api/errors";
import type { JobProgress } from "../../api/types";
import { isOver } from "../../domain/glossary";

const ASK_EVERY = 2000; // ms

export function useProgress(run: string): JobProgress | undefined {
  const client = useQueryClient();
  const [broken, setBroken] = useState(false);
  const { data } = useQuery({
    queryKey: ["progress", run],
    queryFn: async ({ signal }) => {
      const params = { path: { run } };
      return (await bodyOf(api.GET("/api/runs/{run}", { params, signal }))).progress;
    },
    enabled: broken,
    // A run that is gone or no longer ours has no progress; out of reach, it still goes on.
    refetchInterval: ({ state }) => (hasStatus(state.error, 401, 404) ? false : ASK_EVERY),
    gcTime: 0,
  });
  const over = data !== undefined && isOver(data.status);
  useEffect(() => {
    if (over) return void client.invalidateQueries({ queryKey: ["conferences"] });
    const source = new EventSource(addressOf("/api/runs/{run}/events", { run }));
    source.addEventListener("progress", ({ data: text }: MessageEvent<string>) =>
      client.setQueryData<JobProgress>(["progress", run], JSON.parse(text)),
    );
    source.addEventListener("error", () => {
      source.close();
      setBroken(true);
    });
    return () => source.close();
  }, [client, run, over]);
  return data;
}
