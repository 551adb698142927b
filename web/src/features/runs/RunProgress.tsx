// A run in progress. Screen readers announce the stage when it changes, not every step.
import { api } from "../../api/client";
import { useChange } from "../../app/queries";
import { ErrorLine } from "../../components/Notice";
import { count } from "../../domain/format";
import { stageTitle } from "../../domain/glossary";
import { useProgress } from "./useProgress";

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
        <button
          type="button"
          className="button"
          disabled={cancelling.isPending}
          onClick={() => cancelling.mutate()}
        >
          Cancel run
        </button>
        <ErrorLine error={cancelling.error} />
      </div>
    </div>
  );
}
