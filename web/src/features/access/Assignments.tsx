// Assigns papers to area chairs: from a table, or as the files of a run name them.
import { useId, useState } from "react";

import { api, bodyOf } from "../../api/client";
import { sendAssignments } from "../../api/files";
import type { AssignmentResult, Conference } from "../../api/types";
import { useChange } from "../../app/queries";
import { ErrorNotice, Notice } from "../../components/Notice";
import { count } from "../../domain/format";

export function Assignments({ conference: { id, runs } }: { conference: Conference }) {
  const field = useId();
  const finished = runs.filter((each) => each.status === "done");
  const [chosen, setChosen] = useState("");
  const run = chosen || finished[0]?.id;
  const importing = useChange((source: File | { run: string }) =>
    source instanceof File
      ? sendAssignments(id, source)
      : bodyOf(
          api.POST("/api/conferences/{conference}/area-chairs/from-run/{run}", {
            params: { path: { conference: id, run: source.run } },
          }),
        ),
  );
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
          disabled={importing.isPending}
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) importing.mutate(file);
            event.target.value = "";
          }}
        />
        {run && (
          <>
            <span className="soft">or</span>
            <button
              type="button"
              className="button"
              disabled={importing.isPending}
              onClick={() => importing.mutate({ run })}
            >
              Take from run
            </button>
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
        like, <code>email</code>. It replaces all assignments; area chairs keep their links.
      </p>
      {importing.isPending && (
        <span role="status" className="soft">
          Importing…
        </span>
      )}
      <ErrorNotice error={importing.error} />
      {importing.data && <Outcome result={importing.data} />}
    </div>
  );
}

function Outcome({ result }: { result: AssignmentResult }) {
  if (!result.issues.length)
    return (
      <Notice tone="good">
        {result.area_chairs} area chairs with {count(result.papers)} papers.
      </Notice>
    );
  return (
    <Notice tone="bad">
      <p>Nothing was changed, because of these issues:</p>
      <ul className="lines">
        {result.issues.map((issue) => (
          <li key={issue}>{issue}</li>
        ))}
      </ul>
    </Notice>
  );
}
