// In place of what has not come yet, or will not come.
import type { RequestProblem } from "../api/client";
import { Notice } from "./Notice";

export function Waiting({
  problem,
  again,
  what = "Loading…",
}: {
  problem: RequestProblem | null;
  again?: () => void;
  what?: string;
}) {
  if (!problem)
    return (
      <p className="soft waiting" role="status">
        {what}
      </p>
    );
  if (problem.status === 401) return null; // on the way to the entrance
  return (
    <Notice tone="bad">
      <div className="row spread">
        <span>{problem.message}</span>
        {again && (
          <button type="button" className="button" onClick={again}>
            Try again
          </button>
        )}
      </div>
    </Notice>
  );
}
