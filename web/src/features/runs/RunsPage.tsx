// The runs of a conference: all of them for chairs, the shared ones for area chairs.
import { useEffect, useState } from "react";

import type { ConferenceDetail, RunSummary } from "../../api/schema";
import { Link, useRoute } from "../../app/route";
import { useMe } from "../../app/session";
import { Button } from "../../components/buttons";
import { DataTable } from "../../components/DataTable";
import { Time } from "../../components/tables";
import { Checkbox } from "../../components/choices";
import { LastChanges } from "./LastChanges";
import { counted, lambdaText } from "../../domain/format";
import { isOver, POLICIES, STATUSES, titleIn, type JobStatus } from "../../domain/glossary";
import { ShareToggle } from "./ManageRun";
import { RunDetails, RunProgress } from "./RunDetails";
import "./runs.css";

export function RunsPage({ conference }: { conference: ConferenceDetail }) {
  const chair = useMe().role === "chair";
  return chair ? <ChairRuns conference={conference} /> : <SharedRuns runs={conference.runs} />;
}

const TONES: Partial<Record<JobStatus, string>> = {
  ...{ running: "warn", done: "good", refused: "bad", failed: "bad" },
};

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
  const [opened, setOpened] = useState<Record<string, boolean>>({}); // details, by run
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
  // The newest run shows at once why it stopped; other details open on demand.
  const isOpen = ({ id: run, status }: RunSummary): boolean =>
    opened[run] ?? (run === newest[0]?.id && (status === "refused" || status === "failed"));
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
      <DataTable
        label="Runs"
        look="card flush runs"
        rows={newest}
        keyOf={(run) => run.id}
        columns={[
          {
            head: "Compare",
            hidden: true,
            cell: ({ id: run, name, status }) =>
              status === "done" && (
                <input
                  type="checkbox"
                  aria-label={`Compare ${name}`}
                  checked={ticked.has(run)}
                  onChange={(event) => tick(run, event.target.checked)}
                />
              ),
          },
          {
            head: "Name",
            look: "run-name wrap strong",
            cell: ({ id: run, name, status }) =>
              status === "done" ? <Link to={`/r/${run}`}>{name}</Link> : name,
          },
          {
            head: "Status",
            cell: (run) => (
              <>
                <span className={`badge ${TONES[run.status] ?? ""}`}>
                  {STATUSES[run.status].title}
                </span>
                {run.archived && <span className="badge">Archived</span>}
              </>
            ),
          },
          {
            head: "Created",
            cell: ({ created }) => <Time at={created} />,
            onWide: true,
            look: "soft nowrap",
          },
          { head: "λ", cell: ({ lam }) => lambdaText(lam), number: true, onWide: true },
          {
            head: "Contradictions",
            cell: ({ conflicts }) => titleIn(POLICIES, conflicts),
            onWide: true,
            look: "nowrap",
          },
          {
            head: "Shared",
            cell: (run) => run.status === "done" && !run.archived && <ShareToggle run={run} />,
          },
        ]}
        actions={(run) => (
          <>
            {run.status === "done" && (
              <Link
                to={`/r/${run.id}/overview`}
                className="button quiet"
                aria-label={`Overview of ${run.name}`}
              >
                Overview
              </Link>
            )}
            {isOver(run.status) && (
              <Button
                look="quiet"
                aria-expanded={isOpen(run)}
                aria-label={`Details of ${run.name}`}
                onClick={() => setOpened({ ...opened, [run.id]: !isOpen(run) })}
              >
                Details
              </Button>
            )}
          </>
        )}
        below={(run) => {
          if (!isOver(run.status)) return <RunProgress id={run.id} name={run.name} />;
          return isOpen(run) && <RunDetails conference={id} summary={run} />;
        }}
      />
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
