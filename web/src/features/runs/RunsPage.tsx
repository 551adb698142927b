// The runs of a conference: all of them for chairs, the shared ones for area chairs.
import { useEffect, useState } from "react";

import type { ConferenceDetail, RunSummary } from "../../api/schema";
import { Link, useRoute } from "../../app/route";
import { useMe } from "../../app/session";
import { ScrollBox } from "../../components/ScrollBox";
import { DataTable, TableHead } from "../../components/DataTable";
import { Time } from "../../components/tables";
import { Checkbox } from "../../components/choices";
import { counted } from "../../domain/format";
import { LastChanges } from "./LastChanges";
import { RunRow } from "./RunRow";
import "./runs.css";

export function RunsPage({ conference }: { conference: ConferenceDetail }) {
  const chair = useMe().role === "chair";
  return chair ? <ChairRuns conference={conference} /> : <SharedRuns runs={conference.runs} />;
}

function SharedRuns({ runs }: { runs: RunSummary[] }) {
  if (!runs.length) return <p className="soft">The chairs have not shared any results yet.</p>;
  return (
    <DataTable
      label="Runs"
      look="card flush"
      rows={runs}
      keyOf={({ id }) => id}
      columns={[
        {
          head: "Name",
          cell: ({ id, name }) => (
            <Link to={`/r/${id}`} className="strong">
              {name}
            </Link>
          ),
        },
        { head: "Date", cell: ({ created }) => <Time at={created} day />, look: "soft" },
      ]}
    />
  );
}

/** The list of runs for chairs: progress, results, sharing, comparison. */
function ChairRuns({ conference }: { conference: ConferenceDetail }) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [archived, setArchived] = useState(false); // shown, too
  const { id, runs } = conference;
  useResultOfStarted(runs);
  if (!runs.length)
    return (
      <p className="soft">
        No runs yet. <Link to={`/c/${id}`}>Import files</Link> to start one.
      </p>
    );
  const tick = (run: string, on: boolean) => {
    const next = new Set(ticked);
    if (on) next.add(run);
    else next.delete(run);
    setTicked(next);
  };
  const there = runs.filter((run) => archived || !run.archived);
  const hidden = runs.filter((run) => run.archived).length;
  const newest = there.toSorted((a, b) => b.created.localeCompare(a.created));
  // Earlier runs first, so that changes read from left to right.
  const compared = newest.filter((run) => ticked.has(run.id)).reverse();
  return (
    <div className="stack">
      <div className="row spread">
        {compared.length < 2 ? (
          <span className="hint">Tick two or more runs to compare them.</span>
        ) : (
          <Link
            to={`/c/${id}/compare?runs=${compared.map((run) => run.id).join(",")}`}
            className="button primary"
          >
            Compare {compared.length} runs
          </Link>
        )}
        <Link to={`/c/${id}`} className="button">
          New run
        </Link>
      </div>
      <ScrollBox label="Runs" className="card flush">
        <table className="plain runs" aria-label="Runs">
          <TableHead
            columns={[
              { head: "Compare", hidden: true },
              { head: "Name" },
              { head: "Status" },
              { head: "Created", onWide: true },
              { head: "λ", number: true, onWide: true },
              { head: "Contradictions", onWide: true },
              { head: "Shared" },
              { head: "Actions", hidden: true },
            ]}
          />
          {newest.map((run, index) => (
            <RunRow
              key={run.id}
              conference={id}
              run={run}
              first={index === 0}
              ticked={ticked.has(run.id)}
              onTick={(on) => tick(run.id, on)}
            />
          ))}
        </table>
      </ScrollBox>
      <LastChanges conference={id} />
      {hidden > 0 && (
        <Checkbox checked={archived} onChange={setArchived}>
          Show {counted(hidden, "archived run")}
        </Checkbox>
      )}
    </div>
  );
}

/** Open the results of the run that was started on the way here, as soon as it is done. */
function useResultOfStarted(runs: RunSummary[]): void {
  const { query, go } = useRoute();
  const started = query.get("started");
  const done = runs.some((run) => run.id === started && run.status === "done");
  useEffect(() => {
    if (done) go(`/r/${started}`, true);
  }, [done, started, go]);
}
