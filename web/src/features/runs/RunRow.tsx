// One run: its row, and below it its progress or its details.
import { useId, useState } from "react";

import type { JobStatus, RunSummary } from "../../api/types";
import { Time } from "../../components/DefinitionList";
import { Link } from "../../app/route";
import { RunDetails } from "./RunDetails";
import { RunProgress } from "./RunProgress";
import { ShareToggle } from "./ShareToggle";
import { lambdaText } from "../../domain/format";
import { isOver, POLICIES, STATUSES, titleIn } from "../../domain/glossary";

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
            <button
              type="button"
              className="button quiet"
              aria-expanded={open}
              aria-controls={details}
              onClick={() => setOpened(!open)}
              aria-label={`Details of ${name}`}
            >
              Details
            </button>
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
