// All about a run but its results: why it ended so, downloads, settings, input hashes.
import type { Schemas } from "../../api/client";
import { Notice } from "../../components/Notice";
import { Waiting } from "../../components/Waiting";
import { Link } from "../../app/route";
import { useAnswer } from "../../app/useAnswer";
import { IssueList } from "../../components/IssueList";
import { addressFor } from "../../domain/importForm";
import { Downloads } from "./Downloads";
import { RunSettings } from "./RunSettings";

export function RunDetails({ conference, id }: { conference: string; id: string }) {
  const { data: run, problem, again } = useAnswer<Schemas["Run"]>(`runs/${id}`);
  if (!run) return <Waiting problem={problem} again={again} />;
  return (
    <div className="stack run-details">
      {run.reason && <Notice tone="bad">{run.reason}</Notice>}
      <IssueList counts={run.issue_counts} issues={run.issues} />
      {run.status === "done" && <Downloads run={run} />}
      <RunSettings run={run} />
      <div>
        <Link to={addressFor(conference, run)} className="button">
          {run.status === "done" ? "New run with these settings" : "Change settings and run again"}
        </Link>
      </div>
    </div>
  );
}
