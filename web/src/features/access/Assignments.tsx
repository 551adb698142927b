// Assigns papers to area chairs: from a table, as the files of a run name them, or as they were before.
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";

import { Button } from "../../components/buttons";
import { api, bodyOf } from "../../api/client";
import { sendAssignments } from "../../api/files";
import type { Access, AssignmentResult, Conference } from "../../api/types";
import { useChange } from "../../app/queries";
import { ErrorNotice, Notice } from "../../components/Notice";
import { Time } from "../../components/DefinitionList";
import { counted } from "../../domain/format";
import { AssignmentQuestion, outcomeOf } from "./AssignmentQuestion";

/** A table, a run, or what the last change replaced. */
type Source = File | { run: string } | "undo";

export function Assignments({
  conference: { id, runs },
  former,
}: {
  conference: Conference;
  former: Access["former"];
}) {
  const field = useId();
  const finished = runs.filter((each) => each.status === "done");
  const [chosen, setChosen] = useState("");
  const run = chosen || finished[0]?.id;
  const planning = useMutation({ mutationFn: (source: Source) => send(id, source) });
  const confirming = useChange(({ source, edition }: { source: Source; edition: number }) =>
    send(id, source, edition),
  );
  const plan = planning.data;
  const source = planning.variables;
  const ask = (wanted: Source) => {
    confirming.reset();
    planning.mutate(wanted);
  };
  return (
    <div className="stack tight assignments">
      <h3>Assign papers</h3>
      <div className="row">
        <label className="button file-button" htmlFor={field}>
          Import a table
        </label>
        <input
          id={field}
          type="file"
          className="visually-hidden"
          accept=".csv,.xlsx,.tsv,.json"
          disabled={planning.isPending}
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) ask(file);
            event.target.value = "";
          }}
        />
        {run && (
          <>
            <span className="soft">or</span>
            <Button disabled={planning.isPending} onClick={() => ask({ run })}>
              Take from run
            </Button>
            <select
              className="select"
              aria-label="Run to take area chairs from"
              value={run}
              onChange={(event) => setChosen(event.target.value)}
            >
              {finished.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name}
                </option>
              ))}
            </select>
          </>
        )}
      </div>
      <p className="hint">
        A CSV or XLSX file with the columns <code>area_chair</code>, <code>paper</code> and, if you
        like, <code>email</code>. It replaces all assignments; you see what changes before it does.
      </p>
      {former && (
        <div className="row">
          <Button disabled={planning.isPending} onClick={() => ask("undo")}>
            Undo the last change
          </Button>
          <span className="soft">
            back to the {counted(former.area_chairs, "area chair")} before <Time at={former.at} />
          </span>
        </div>
      )}
      {planning.isPending && (
        <span role="status" className="soft">
          Reading…
        </span>
      )}
      <ErrorNotice error={planning.error} />
      {plan && plan.issues.length > 0 && <Issues issues={plan.issues} />}
      {confirming.data && <Notice tone="good">{outcomeOf(confirming.data)}</Notice>}
      {plan && source && !plan.issues.length && (
        <AssignmentQuestion
          plan={plan}
          busy={confirming.isPending}
          error={confirming.error}
          onClose={planning.reset}
          onConfirm={() =>
            confirming.mutate({ source, edition: plan.edition }, { onSuccess: planning.reset })
          }
        />
      )}
    </div>
  );
}

function send(conference: string, source: Source, edition?: number): Promise<AssignmentResult> {
  if (source instanceof File) return sendAssignments(conference, source, edition);
  const query = edition === undefined ? {} : { edition };
  if (source === "undo")
    return bodyOf(
      api.POST("/api/conferences/{conference}/area-chairs/undo", {
        params: { path: { conference }, query },
      }),
    );
  return bodyOf(
    api.POST("/api/conferences/{conference}/area-chairs/from-run/{run}", {
      params: { path: { conference, run: source.run }, query },
    }),
  );
}

function Issues({ issues }: { issues: string[] }) {
  return (
    <Notice tone="bad">
      <p>Nothing was changed, because of these issues:</p>
      <ul className="lines">
        {issues.map((issue) => (
          <li key={issue}>{issue}</li>
        ))}
      </ul>
    </Notice>
  );
}
