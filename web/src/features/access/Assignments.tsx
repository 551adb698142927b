// Which papers each area chair handles: from a table, or as a run's files name them.
import { useId, useState } from "react";

import { post, type Schemas } from "../../api/client";
import { Notice } from "../../components/Notice";
import { useTask } from "../../app/useTask";
import type { Conference } from "../conferences/ConferenceFrame";

type Imported = Schemas["Imported"];

export function Assignments({ conference, changed }: { conference: Conference; changed(): void }) {
  const id = useId();
  const [result, setResult] = useState<Imported | null>(null);
  const importing = useTask();
  const runs = conference.runs.filter((run) => run.status === "done");
  const [chosen, setChosen] = useState("");
  const run = chosen || runs[0]?.id;
  const home = `conferences/${conference.id}/area-chairs`;
  const take = (action: () => Promise<Imported>) => {
    setResult(null);
    return importing.run(async () => {
      const imported = await action();
      setResult(imported);
      if (!imported.problems.length) changed();
    });
  };
  const sendFile = (file: File) => {
    const body = new FormData();
    body.append("file", file);
    return take(() => post<Imported>(home, body));
  };
  return (
    <div className="stack tight assignments">
      <h3>Assign papers</h3>
      <div className="row">
        <label className="button file-button" htmlFor={id}>
          Import a table
        </label>
        <input
          id={id}
          type="file"
          className="visually-hidden"
          accept=".csv,.xlsx,.tsv,.json"
          disabled={importing.busy}
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) void sendFile(file);
            event.target.value = "";
          }}
        />
        {run && (
          <>
            <span className="soft">or</span>
            <button
              type="button"
              className="button"
              disabled={importing.busy}
              onClick={() => take(() => post<Imported>(`${home}/from-run/${run}`))}
            >
              Take from run
            </button>
            <select
              className="select"
              aria-label="Run to take area chairs from"
              value={run}
              onChange={(event) => setChosen(event.target.value)}
            >
              {runs.map((each) => (
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
        like, <code>email</code>. It replaces the assignments as they are; links stay with their
        area chairs.
      </p>
      {importing.busy && (
        <span role="status" className="soft">
          Importing…
        </span>
      )}
      {importing.problem && <Notice tone="bad">{importing.problem}</Notice>}
      {result && <Outcome result={result} />}
    </div>
  );
}

function Outcome({ result }: { result: Imported }) {
  if (!result.problems.length)
    return (
      <Notice tone="good">
        {result.area_chairs} area chairs with {result.papers.toLocaleString("en")} papers.
      </Notice>
    );
  return (
    <Notice tone="bad">
      <p>Nothing was changed. Problems:</p>
      <ul className="lines">
        {result.problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Notice>
  );
}
