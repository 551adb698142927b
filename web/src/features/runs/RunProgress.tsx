// A run in progress. Screen readers announce the stage when it changes, not every step.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { Button } from "../../components/buttons";
import { post } from "../../api/client";
import { OF_CONFERENCES, useChange, useGet } from "../../app/queries";
import { ErrorNotice } from "../../components/Notice";
import { count } from "../../domain/format";
import { stageTitle, isOver } from "../../domain/glossary";
import { hasStatus } from "../../api/errors";
import type { JobProgress } from "../../api/schema";

export function RunProgress({ id, name }: { id: string; name: string }) {
  const progress = useProgress(id);
  const cancelling = useChange(() => post("/api/runs/{run}/cancel", { run: id }));
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
        <ErrorNotice error={cancelling.error} />
      </div>
    </div>
  );
}

const POLL_INTERVAL = 500; // ms

/** The progress of a run, asked for again and again until the run has ended. */
function useProgress(run: string): JobProgress | undefined {
  const client = useQueryClient();
  const { data } = useGet(
    "/api/runs/{run}",
    { run },
    // A deleted run has no progress; one whose server cannot be reached may still have.
    { refetchInterval: ({ state }) => (hasStatus(state.error, 401, 404) ? false : POLL_INTERVAL) },
  );
  const progress = data?.progress;
  const over = progress !== undefined && isOver(progress.status);
  useEffect(() => {
    if (over) void client.invalidateQueries(OF_CONFERENCES);
  }, [client, over]);
  return progress;
}
