// Runs of one conference side by side: before and after rebuttal, two policies, two λ.
import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";

import type { Conference } from "../../api/types";
import { runQuery } from "../../app/queries";
import { Link, useRoute } from "../../app/route";
import { Waiting } from "../../components/Waiting";
import type { Run } from "../../domain/run";
import { compared, shownRows, differingSettings } from "./comparison";
import { CompareControls } from "./CompareControls";
import { readCompare } from "./compareState";
import { CompareTable } from "./CompareTable";
import { ScrollBox } from "../../components/ScrollBox";
import { PlainTable } from "../../components/PlainTable";
import "./compare.css";

export function ComparePage({ conference }: { conference: Conference }) {
  const { query } = useRoute();
  const state = useMemo(() => readCompare(query), [query]);
  const { mode, statistic, sort, descending, text, movedBy } = state;
  const enough = state.runs.length > 1;
  const views = useQueries({
    queries: enough ? state.runs.map((id) => runQuery(id)) : [],
    combine: together,
  });
  const runs = views.data;
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
  if (!runs) return <Waiting query={views} what="Loading the runs…" />;
  return (
    <div className="stack">
      <Differences names={names} runs={runs} />
      <CompareControls state={state} shown={shown.length} of={rows.length} />
      <CompareTable rows={shown} names={names} ids={state.runs} state={state} tracks={tracks} />
    </div>
  );
}

/** Several views as one query: it has data when all of them have. */
function together(views: UseQueryResult<Run>[]) {
  const runs = views.flatMap(({ data }) => data ?? []);
  const failed = views.find(({ error }) => error);
  return {
    data: runs.length === views.length ? runs : undefined,
    error: failed?.error ?? null,
    refetch: () => failed?.refetch(),
  };
}

/** The settings in which the runs differ, to explain why scores do. */
function Differences({ names, runs }: { names: string[]; runs: Run[] }) {
  const lines = differingSettings(runs);
  if (!lines.length) return <p className="soft">The runs have the same files and settings.</p>;
  return (
    <ScrollBox label="Settings that differ" className="card flush">
      <PlainTable label="Settings that differ" columns={["Differs", ...names]}>
        {lines.map(({ name, values }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {values.map((value, index) => (
              <td key={index}>{value}</td>
            ))}
          </tr>
        ))}
      </PlainTable>
    </ScrollBox>
  );
}
