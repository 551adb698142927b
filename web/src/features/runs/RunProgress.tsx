// A run in progress. Screen readers announce the stage when it changes, not every step.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { Button } from "../../components/buttons";
import { api, bodyOf } from "../../api/client";
import { useChange } from "../../app/queries";
import { InlineError } from "../../components/Notice";
import { count } from "../../domain/format";
import { stageTitle, isOver } from "../../domain/glossary";
import { hasStatus } from "../../api/errors";
import type { JobProgress } from "../../api/types";

export function RunProgress({ id, name }: { id: string; name: string }) {
  const progress = useProgress(id);
  const cancelling = useChange(() =>
    api.POST("/api/runs/{run}/cancel", { params: { path: { run: id } } }),
  );
  const { done = 0, total = 0 } = progress ?? {};
  return (
    <div className="run-progress">
      <div className="row spread">
        <span role="status">
          {progress ? stageTitle(progress.status, progress.stage) : "Connecting"}
        </span>
        <span className="number soft" aria-hidden="true">
          {total > 0 && `${count(done)} of ${count(total)}`}
        </span>
      </div>
      <progress
        aria-label={`Progress of ${name}`}
        max={total || 1}
        {...(total > 0 ? { value: done } : {})}
      />
      <div className="row">
        <Button disabled={cancelling.isPending} onClick={() => cancelling.mutate()}>
          Cancel run
        </Button>
        <InlineError error={cancelling.error} />
      </div>
    </div>
  );
}

const POLL_INTERVAL = 500; // ms

/** The progress of a run, asked for again and again until the run has ended. */
function useProgress(run: string): JobProgress | undefined {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ["progress", run],
    queryFn: async ({ signal }) => {
      const params = { path: { run } };
      return (await bodyOf(api.GET("/api/runs/{run}", { params, signal }))).progress;
    },
    // A deleted run has no progress; one whose server cannot be reached may still have.
    refetchInterval: ({ state }) => (hasStatus(state.error, 401, 404) ? false : POLL_INTERVAL),
    gcTime: 0,
  });
  const over = data !== undefined && isOver(data.status);
  useEffect(() => {
    if (over) void client.invalidateQueries({ queryKey: ["conferences"] });
  }, [client, over]);
  return data;
}
