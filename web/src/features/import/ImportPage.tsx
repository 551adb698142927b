// From exports to a run: files, what was found in them, problems, choices.
import { useMemo, useState } from "react";

import { post } from "../../api/client";
import { useRoute } from "../../app/route";
import { useTask } from "../../app/useTask";
import type { ConferencePageProps } from "../conferences/ConferenceFrame";
import { MethodChoices } from "./MethodChoices";
import { DropZone } from "./DropZone";
import { FileList } from "./FileList";
import { CheckSummary } from "./CheckSummary";
import "./import.css";
import { IssueList } from "../../components/IssueList";
import { ReadingChoices } from "./ReadingChoices";
import { reasonToWait } from "./readiness";
import {
  checkFor,
  mistakesIn,
  queryFor,
  settingsFrom,
  type Settings,
} from "../../domain/importForm";
import { StartRun } from "./StartRun";
import { useCheck } from "./useCheck";

export function ImportPage({ conference, again }: ConferencePageProps) {
  const { query, set, go } = useRoute();
  const [name, setName] = useState(`Run ${conference.runs.length + 1}`);
  const starting = useTask();
  const settings = useMemo(() => settingsFrom(query), [query]);
  const request = useMemo(
    () =>
      checkFor(
        settings,
        conference.files.map((file) => file.id),
      ),
    [settings, conference.files],
  );
  const sound = request.files.length > 0 && !Object.keys(mistakesIn(settings)).length;
  const checked = useCheck(conference.id, sound ? request : null);
  const { check, busy } = checked;

  const change = (changes: Partial<Settings>) => set(queryFor({ ...settings, ...changes }));
  const use = (file: string, wanted: boolean) => {
    const others = settings.without.filter((each) => each !== file);
    change({ without: wanted ? others : [...others, file] });
  };
  const run = () =>
    starting.run(async () => {
      const wanted = { ...request, name: name.trim(), lam: settings.lam };
      await post(`conferences/${conference.id}/runs`, wanted);
      go(`/c/${conference.id}/runs`);
    });
  const unread = Boolean(check?.reason && check.columns.length);
  return (
    <div className="import">
      <div className="stack">
        <section className="card stack" aria-labelledby="files">
          <h2 id="files">Files</h2>
          <FileList
            conference={conference.id}
            files={conference.files}
            without={settings.without}
            onUse={use}
            changed={again}
          />
          <DropZone conference={conference.id} done={again} />
        </section>
        {conference.files.length > 0 && (
          <>
            <CheckSummary {...checked} />
            <ReadingChoices
              settings={settings}
              columns={check?.columns ?? []}
              open={unread}
              onChange={change}
            />
            {check && check.issue_counts.length > 0 && (
              <section className="card stack" aria-labelledby="problems">
                <h2 id="problems">Problems</h2>
                <IssueList
                  counts={check.issue_counts}
                  issues={check.issues}
                  csv={`/api/checks/${check.id}/issues.csv`}
                  busy={busy}
                />
              </section>
            )}
          </>
        )}
      </div>
      <div className="stack import-side">
        <StartRun
          name={name}
          onName={setName}
          reason={reasonToWait(settings, request, checked, name)}
          busy={starting.busy}
          problem={starting.problem}
          onRun={run}
        />
        <MethodChoices settings={settings} levels={check?.levels ?? []} onChange={change} />
      </div>
    </div>
  );
}
