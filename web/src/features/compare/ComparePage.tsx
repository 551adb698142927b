// Runs of one conference side by side: before and after rebuttal, two policies, two λ.
import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";

import type { ConferenceDetail } from "../../api/schema";
import { runQuery, useGet } from "../../app/queries";
import { Link, useRoute } from "../../app/route";
import { QueryStatus } from "../../components/Notice";
import { acceptOf, type Accept } from "../../domain/line";
import {
  changesSide,
  compared,
  shownRows,
  differingSettings,
  readCompare,
  type CompareState,
  whyOf,
  type Row,
} from "./comparison";
import { TextField } from "../../components/fields";
import { DataTable } from "../../components/DataTable";
import { counted, count, capitalized, DIGITS, fixed } from "../../domain/format";
import { Checkbox } from "../../components/choices";
import { Button } from "../../components/buttons";
import { numberAt, type Run } from "../../domain/run";
import "./compare.css";

export function ComparePage({ conference }: { conference: ConferenceDetail }) {
  const { query } = useRoute();
  const state = useMemo(() => readCompare(query), [query]);
  const enough = state.runs.length > 1;
  const views = useQueries({
    queries: enough ? state.runs.map((id) => runQuery(id)) : [],
    combine: combinedQuery,
  });
  const runs = views.data;
  const names = state.runs.map(
    (id) => conference.runs.find((run) => run.id === id)?.name ?? "Another run",
  );
  const line = useLineOf(state.runs.at(-1));
  const rows = useMemo(() => (runs ? compared(runs, line) : []), [runs, line]);
  const shown = useMemo(() => shownRows(rows, state), [rows, state]);
  if (!enough)
    return (
      <p>
        Choose two or more runs on the page <Link to={`/c/${conference.id}/runs`}>Runs</Link>.
      </p>
    );
  if (!runs) return <QueryStatus query={views} what="Loading the runs…" />;
  return (
    <div className="stack">
      <Differences names={names} runs={runs} />
      <CompareControls
        state={state}
        shown={shown.length}
        of={rows.length}
        changing={line && rows.filter(changesSide).length}
      />
      <CompareTable rows={shown} runs={runs} names={names} ids={state.runs} sides={line !== null} />
    </div>
  );
}

/** The chairs’ line, which belongs to the conference of a run. */
function useLineOf(run: string | undefined): Accept | null {
  const { data } = useGet("/api/runs/{run}", run ? { run } : null);
  const line = data?.line ?? null;
  return useMemo(() => acceptOf(line), [line]);
}

/** Several views as one query: it has data when all of them have. */
function combinedQuery(views: UseQueryResult<Run>[]) {
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
    <DataTable
      label="Settings that differ"
      look="card flush row-blocks"
      rows={lines}
      keyOf={({ name }) => name}
      columns={[
        { head: "Differs", cell: ({ name }) => name, names: true },
        ...names.map((head, run) => ({
          head,
          cell: ({ values }: (typeof lines)[number]) => values[run],
          named: true,
        })),
      ]}
    />
  );
}

/** Which papers are shown. */
function CompareControls({
  state,
  shown,
  of,
  changing,
}: {
  state: CompareState;
  shown: number;
  of: number;
  changing: number | null; // papers that change side; null without a line
}) {
  const { set } = useRoute();
  return (
    <div className="row">
      <TextField
        beside
        label="Search"
        type="search"
        placeholder="Paper, title, track"
        value={state.text}
        onChange={(text) => set({ q: text || null })}
      />
      {changing === null ? (
        <span className="hint">Draw a line on Papers to see who changes side.</span>
      ) : (
        <Checkbox checked={state.changing} onChange={(on) => set({ changing: on ? "yes" : null })}>
          Only papers that change side ({count(changing)})
        </Checkbox>
      )}
      <span className="soft grow number nowrap" role="status">
        {shown === of ? counted(of, "paper") : `${count(shown)} of ${counted(of, "paper")}`}
      </span>
    </div>
  );
}

function CompareTable({
  rows,
  runs,
  names,
  ids,
  sides,
}: {
  rows: Row[];
  runs: Run[];
  names: string[];
  ids: string[];
  sides: boolean; // whether there is a line
}) {
  const { set } = useRoute();
  const tracks = runs.some(({ view }) => view.papers.track);
  if (!rows.length)
    return (
      <p className="soft">
        No papers match.{" "}
        <Button onClick={() => set({ q: null, changing: null })}>Clear filters</Button>
      </p>
    );
  // Link to the paper in the last run that has it.
  const last = ({ values }: Row) =>
    ids[values.findLastIndex((value) => !Number.isNaN(value))] ?? "";
  return (
    <DataTable
      label="Papers side by side"
      look="card framed compare row-blocks"
      most={200}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          head: "Paper",
          cell: (row) => (
            <Link to={`/r/${last(row)}/paper/${encodeURIComponent(row.id)}`}>{row.id}</Link>
          ),
          names: true,
        },
        ...names.map((name, run) => ({
          head: name,
          cell: (row: Row) => <PlaceAndMean row={row} run={run} />,
          number: true,
          named: true,
          look: "nowrap",
        })),
        sides && {
          head: "Side",
          cell: (row) => (changesSide(row) ? row.sides.join(" → ") : row.sides[0]),
          look: (row) => `nowrap ${changesSide(row) ? tone(row.rank) : "soft"}`,
        },
        {
          head: "Places",
          cell: ({ rank }) => places(rank),
          number: true,
          look: ({ rank }) => `nowrap ${tone(rank)}`,
        },
        { head: "Title", cell: ({ title }) => title, look: "title" },
        tracks && { head: "Track", cell: ({ track }) => track, look: "soft" },
        { head: "Why", cell: (row) => capitalized(whyOf(runs, row)), look: "why" },
      ]}
    />
  );
}

/** "12 6.214", of a paper in one of the runs. */
function PlaceAndMean({ row, run }: { row: Row; run: number }) {
  const value = numberAt(row.values, run);
  if (Number.isNaN(value)) return <span className="soft">not in this run</span>;
  return (
    <>
      <strong>{count(numberAt(row.places, run))}</strong>{" "}
      <span className="soft">{fixed(value, DIGITS.dequantized)}</span>
    </>
  );
}

const tone = (value: number): string => (value > 0 ? "up" : value < 0 ? "down" : "soft");

function places(change: number): string {
  if (Number.isNaN(change)) return "–";
  if (!change) return "0";
  return change > 0 ? `↑ ${count(change)}` : `↓ ${count(-change)}`;
}
