// In place of what a query has not answered yet, or could not answer.
import { Button } from "./buttons";
import { hasStatus, wordsOf } from "../api/errors";
import { Notice } from "./Notice";

interface Query {
  data: unknown;
  error: Error | null;
  refetch(): unknown;
}

export function Waiting({ query, what = "Loading…" }: { query: Query; what?: string }) {
  const { data, error, refetch } = query;
  if (hasStatus(error, 401)) return null; // the entrance opens next
  if (error)
    return (
      <Notice tone="bad">
        <div className="row spread">
          <span>{wordsOf(error)}</span>
          <Button onClick={() => refetch()}>Try again</Button>
        </div>
      </Notice>
    );
  return data === undefined ? <Loading what={what} /> : null;
}

export function Loading({ what = "Loading…" }: { what?: string }) {
  return (
    <p className="soft waiting" role="status">
      {what}
    </p>
  );
}
