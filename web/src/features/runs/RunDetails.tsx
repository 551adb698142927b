// What is below a run in the list: its progress, or its details.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { addressOf, post } from "../../api/client";
import { hasStatus } from "../../api/errors";
import type { JobProgress, RunDetail, RunSummary } from "../../api/schema";
import { OF_CONFERENCES, useChange, useGet } from "../../app/queries";
import { Link } from "../../app/route";
import { Button } from "../../components/buttons";
import { ContradictionList, IssueList } from "../../components/IssueList";
import { ErrorNotice, Notice, QueryStatus } from "../../components/Notice";
import { count } from "../../domain/format";
import { EXPORT_SYSTEMS, isOver, stageTitle } from "../../domain/glossary";
import { importAddress } from "../../domain/importForm";
import { ExportDialog } from "./ExportDialog";
import { ManageRun } from "./ManageRun";

/** The details of a run that is over: why it stopped, downloads, settings, inputs. */
export function RunDetails({ conference, summary }: { conference: string; summary: RunSummary }) {
  const { id } = summary;
  const query = useGet("/api/runs/{run}", { run: id });
  const run = query.data;
  if (!run) return <QueryStatus query={query} />;
  return (
    <div className="stack run-details">
      {run.reason && <Notice tone="bad">{run.reason}</Notice>}
      <IssueList counts={run.issue_counts} issues={run.issues} settled={run.status === "done"} />
      {run.contradictions.reviewers > 0 && (
        <ContradictionList
          contradictions={run.contradictions}
          csv={addressOf("/api/runs/{run}/contradictions.csv", { run: run.id })}
        />
      )}
      {run.status === "done" && <Downloads run={run} conference={conference} />}
      <div className="row spread">
        <Link to={importAddress(conference, run)} className="button">
          {run.status === "done" ? "New run with these settings" : "Change settings and run again"}
        </Link>
        <ManageRun run={summary} />
      </div>
    </div>
  );
}

/** The files of a finished run. */
function Downloads({ run, conference }: { run: RunDetail; conference: string }) {
  const [exporting, setExporting] = useState(false);
  return (
    <div className="row" role="group" aria-label={`Downloads of ${run.name}`}>
      {run.files.map((name) => (
        <a
          key={name}
          className="button"
          href={addressOf("/api/runs/{run}/files/{name}", { run: run.id, name })}
          download
        >
          {name}
        </a>
      ))}
      <a
        className="button"
        href={addressOf("/api/runs/{run}/report.html", { run: run.id })}
        download
      >
        report.html
      </a>
      <Button onClick={() => setExporting(true)}>Export to {EXPORT_SYSTEMS}</Button>
      {exporting && (
        <ExportDialog run={run.id} conference={conference} onClose={() => setExporting(false)} />
      )}
    </div>
  );
}

/** A run in progress. Screen readers announce the stage when it changes, not every step. */
export function RunProgress({ id, name }: { id: string; name: string }) {
  const progress = useProgress(id);
  const cancelling = useChange(() => post("/api/runs/{run}/cancel", { run: id }));
  const { done = 0, total = 0 } = progress ?? {};
  return (
    <div className="stack tight run-progress">
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
