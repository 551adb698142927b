// Runs of one conference side by side: before and after rebuttal, two policies, two λ.
import { useMemo } from "react";

import { Waiting } from "../../components/Waiting";
import { Link, useRoute } from "../../app/route";
import type { ConferencePageProps } from "../conferences/ConferenceFrame";
import { readCompare } from "./compareState";
import { compared, shownRows } from "./comparison";
import { CompareControls } from "./CompareControls";
import { CompareTable } from "./CompareTable";
import "./compare.css";
import { Differences } from "./Differences";
import { useViews } from "./useViews";

export function ComparePage({ conference }: ConferencePageProps) {
  const { query } = useRoute();
  const state = useMemo(() => readCompare(query), [query]);
  const { mode, statistic, sort, descending, text, movedBy } = state;
  const enough = state.runs.length > 1;
  const { runs, problem } = useViews(enough ? state.runs.join(",") : "");
  const names = state.runs.map(
    (id) => conference.runs.find((run) => run.id === id)?.name ?? "Another run",
  );
  const rows = useMemo(
    () => (runs ? compared(runs, mode, statistic) : []),
    [runs, mode, statistic],
  );
  const shown = useMemo(
    () => shownRows(rows, { sort, descending, text, movedBy }),
    [rows, sort, descending, text, movedBy],
  );
  const tracks = useMemo(() => rows.some((row) => row.track), [rows]);
  if (!enough)
    return (
      <p>
        Choose two or more runs on the page <Link to={`/c/${conference.id}/runs`}>Runs</Link>.
      </p>
    );
  if (!runs) return <Waiting problem={problem} what="Loading the runs…" />;
  return (
    <div className="stack">
      <Differences names={names} runs={runs} />
      <CompareControls state={state} shown={shown.length} of={rows.length} />
      <CompareTable rows={shown} names={names} ids={state.runs} state={state} tracks={tracks} />
    </div>
  );
}
