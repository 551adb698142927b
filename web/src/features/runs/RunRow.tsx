// One run: its row, and below it its progress or its details.
import { useId, useState } from "react";

import { Button } from "../../components/buttons";
import type { RunDetail, RunSummary } from "../../api/schema";
import { DataTable } from "../../components/DataTable";
import { Time, DefinitionList } from "../../components/tables";
import { Link } from "../../app/route";
import { RunProgress } from "./RunProgress";
import { ShareToggle, ManageRun } from "./ManageRun";
import { lambdaText, sizeText } from "../../domain/format";
import {
  EXPORT_SYSTEMS,
  isOver,
  POLICIES,
  STATUSES,
  titleIn,
  type JobStatus,
} from "../../domain/glossary";
import { addressOf } from "../../api/client";
import { useGet } from "../../app/queries";
import { ContradictionList, IssueList } from "../../components/IssueList";
import { Notice, QueryStatus } from "../../components/Notice";
import { chosenSettings, importAddress } from "../../domain/importForm";
import { ExportDialog } from "./ExportDialog";

const TONES: Partial<Record<JobStatus, string>> = {
  running: "warn",
  done: "good",
  refused: "bad",
  failed: "bad",
};

export function RunRow({
  conference,
  run,
  first,
  ticked,
  onTick,
}: {
  conference: string;
  run: RunSummary;
  first: boolean; // the newest
  ticked: boolean;
  onTick(on: boolean): void;
}) {
  const { id, name, status } = run;
  const [opened, setOpened] = useState<boolean | null>(null);
  const details = useId();
  const over = isOver(status);
  // The newest run shows at once why it stopped; other details open on demand.
  const open = over && (opened ?? (first && (status === "refused" || status === "failed")));
  return (
    <tbody className={open || !over ? "run open" : "run"}>
      <tr>
        <td>
          {status === "done" && (
            <input
              type="checkbox"
              aria-label={`Compare ${name}`}
              checked={ticked}
              onChange={(event) => onTick(event.target.checked)}
            />
          )}
        </td>
        <td className="run-name">
          {status === "done" ? (
            <Link to={`/r/${id}`} className="strong">
              {name}
            </Link>
          ) : (
            <span className="strong">{name}</span>
          )}
        </td>
        <td>
          <span className={`badge ${TONES[status] ?? ""}`}>{STATUSES[status].title}</span>
          {run.archived && <span className="badge">Archived</span>}
        </td>
        <td className="soft nowrap on-wide">
          <Time at={run.created} />
        </td>
        <td className="number on-wide">{lambdaText(run.lam)}</td>
        <td className="nowrap on-wide">{titleIn(POLICIES, run.conflicts)}</td>
        <td>{status === "done" && !run.archived && <ShareToggle run={run} />}</td>
        <td className="actions">
          {status === "done" && (
            <>
              <Link to={`/r/${id}`} className="button quiet on-wide" aria-label={`Open ${name}`}>
                Open
              </Link>
              <Link
                to={`/r/${id}/overview`}
                className="button quiet"
                aria-label={`Overview of ${name}`}
              >
                Overview
              </Link>
            </>
          )}
          {over && (
            <Button
              look="quiet"
              aria-expanded={open}
              aria-controls={details}
              onClick={() => setOpened(!open)}
              aria-label={`Details of ${name}`}
            >
              Details
            </Button>
          )}
        </td>
      </tr>
      {(open || !over) && (
        <tr id={details}>
          <td />
          <td colSpan={7}>
            {over ? (
              <RunDetails conference={conference} summary={run} />
            ) : (
              <RunProgress id={id} name={name} />
            )}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** The details of a run that is over: why it stopped, downloads, settings, inputs. */
function RunDetails({ conference, summary }: { conference: string; summary: RunSummary }) {
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
      <RunSettings run={run} />
      <div className="row spread">
        <Link to={importAddress(conference, run)} className="button">
          {run.status === "done" ? "New run with these settings" : "Change settings and run again"}
        </Link>
        <ManageRun run={summary} />
      </div>
    </div>
  );
}

/** The settings and inputs of a run: enough to repeat it elsewhere. */
function RunSettings({ run }: { run: RunDetail }) {
  const facts = chosenSettings(run);
  return (
    <details>
      <summary>Settings and input hashes</summary>
      <div className="stack tight">
        <DefinitionList
          className="run-facts"
          items={facts.length ? facts : [["Settings", "all as usual"]]}
        />
        <DataTable
          label="Inputs"
          rows={run.inputs}
          keyOf={({ id }) => id}
          columns={[
            { head: "File", cell: ({ name }) => name },
            { head: "Size", cell: ({ size }) => sizeText(size), number: true, look: "nowrap" },
            { head: "SHA-256", cell: ({ sha256 }) => sha256, look: "mono whole-hash" },
          ]}
        />
      </div>
    </details>
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
