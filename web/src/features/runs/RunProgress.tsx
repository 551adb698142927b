// A run under way. The stage is read out when it changes; the bar is there to be looked at.
import { post } from "../../api/client";
import { useTask } from "../../app/useTask";
import { useProgress } from "./useProgress";
import { stageInWords } from "../../domain/words";

export function RunProgress({ id, name, onEnd }: { id: string; name: string; onEnd(): void }) {
  const progress = useProgress(id, onEnd);
  const cancelling = useTask();
  const known = progress && progress.total > 0;
  return (
    <div className="run-progress">
      <div className="row spread">
        <span role="status">
          {progress ? stageInWords(progress.status, progress.stage) : "Connecting"}
        </span>
        <span className="number soft" aria-hidden="true">
          {known
            ? `${progress.done.toLocaleString("en")} of ${progress.total.toLocaleString("en")}`
            : ""}
        </span>
      </div>
      <progress
        aria-label={`Progress of ${name}`}
        max={known ? progress.total : 1}
        {...(known ? { value: progress.done } : {})}
      />
      <div className="row">
        <button
          type="button"
          className="button"
          disabled={cancelling.busy}
          onClick={() => cancelling.run(() => post(`runs/${id}/cancel`))}
        >
          Cancel run
        </button>
        {cancelling.problem && (
          <span role="alert" className="bad-text">
            {cancelling.problem}
          </span>
        )}
      </div>
    </div>
  );
}
