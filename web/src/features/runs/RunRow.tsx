// One run: its line, and below it its progress or its details.
import { useId, useState } from "react";

import type { Schemas } from "../../api/client";
import { Time } from "../../components/Time";
import { Link } from "../../app/route";
import { RunDetails } from "./RunDetails";
import { RunProgress } from "./RunProgress";
import { ShareToggle } from "./ShareToggle";
import { isOver } from "./useProgress";
import { lambdaInWords, policyInWords, STATUS, TONE } from "../../domain/words";

export function RunRow({
  conference,
  run,
  first,
  ticked,
  onTick,
  changed,
}: {
  conference: string;
  run: Schemas["RunSummary"];
  first: boolean; // the newest
  ticked: boolean;
  onTick(on: boolean): void;
  changed(): void;
}) {
  const { id, name, status } = run;
  const [opened, setOpened] = useState<boolean | null>(null);
  const details = useId();
  const over = isOver(status);
  // What just went wrong is shown at once; everything else on demand.
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
          <span className={`badge ${TONE[status]}`}>{STATUS[status]}</span>
        </td>
        <td className="soft nowrap on-wide">
          <Time at={run.created} />
        </td>
        <td className="number on-wide">{lambdaInWords(run.lam)}</td>
        <td className="nowrap on-wide">{policyInWords(run.conflicts)}</td>
        <td>
          {status === "done" && (
            <ShareToggle id={id} name={name} shared={run.shared} changed={changed} />
          )}
        </td>
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
              <RunDetails conference={conference} id={id} />
            ) : (
              <RunProgress id={id} name={name} onEnd={changed} />
            )}
          </td>
        </tr>
      )}
    </tbody>
  );
}
