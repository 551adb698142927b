// The details of a run that is over: why it stopped, downloads, settings, inputs.
import { useQuery } from "@tanstack/react-query";

import { addressOf } from "../../api/client";
import type { RunSummary } from "../../api/types";
import { runInfoQuery } from "../../app/queries";
import { Link } from "../../app/route";
import { ContradictionList } from "../../components/ContradictionList";
import { IssueList } from "../../components/IssueList";
import { Notice } from "../../components/Notice";
import { Waiting } from "../../components/Waiting";
import { importAddress } from "../../domain/importForm";
import { Downloads } from "./Downloads";
import { TidyRun } from "./TidyRun";
import { RunSettings } from "./RunSettings";

export function RunDetails({ conference, summary }: { conference: string; summary: RunSummary }) {
  const { id } = summary;
  const query = useQuery(runInfoQuery(id));
  const run = query.data;
  if (!run) return <Waiting query={query} />;
  return (
    <div className="stack run-details">
      {run.reason && <Notice tone="bad">{run.reason}</Notice>}
      <IssueList counts={run.issue_counts} issues={run.issues} />
      {run.contradictions.reviewers > 0 && (
        <ContradictionList
          contradictions={run.contradictions}
          csv={addressOf("/api/runs/{run}/contradictions.csv", { run: run.id })}
        />
      )}
      {run.status === "done" && <Downloads run={run} />}
      <RunSettings run={run} />
      <div className="row spread">
        <Link to={importAddress(conference, run)} className="button">
          {run.status === "done" ? "New run with these settings" : "Change settings and run again"}
        </Link>
        <TidyRun run={summary} />
      </div>
    </div>
  );
}
