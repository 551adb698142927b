// The import page: files, what was found in them, their issues, and the settings of a run.
import { useMemo, useState, useId } from "react";

import { Form, TextField } from "../../components/fields";
import { Card } from "../../components/Card";
import { Button } from "../../components/buttons";
import { addressOf, post } from "../../api/client";
import type { ConferenceDetail, FileInfo } from "../../api/schema";
import { useChange } from "../../app/queries";
import { useRoute } from "../../app/route";
import { ContradictionList, IssueList } from "../../components/IssueList";
import {
  checkFor,
  usedFiles,
  formFrom,
  mistakesIn,
  queryFor,
  type ImportForm,
} from "../../domain/importForm";
import { FetchFiles, DropZone, FileList } from "./FileList";
import { CheckSummary } from "./CheckSummary";
import { MethodChoices } from "./MethodChoices";
import { ReadingChoices } from "./ReadingChoices";
import { reasonToWait, useCheck } from "./useCheck";
import { ErrorNotice } from "../../components/Notice";
import "./import.css";

export function ImportPage({ conference }: { conference: ConferenceDetail }) {
  const { id, files, runs } = conference;
  const { query, set, go } = useRoute();
  const [typedName, setTypedName] = useState<string | null>(null);
  const name = typedName ?? `Run ${runs.length + 1}`;
  const form = useMemo(() => formFrom(query), [query]);
  const { lam, uncertainty, calibrate } = form;
  const used = usedFiles(form, files);
  const request = checkFor(form, used);
  const valid = request.files.length > 0 && !Object.keys(mistakesIn(form)).length;
  const state = useCheck(id, valid ? request : null);
  const { check, busy } = state;
  const starting = useChange(() =>
    post(
      "/api/conferences/{conference}/runs",
      { conference: id },
      { ...request, uncertainty, calibrate, lam, name: name.trim() },
    ),
  );

  const change = (changes: Partial<ImportForm>) => set(queryFor({ ...form, ...changes }));
  const use = (file: FileInfo, on: boolean) => {
    const others = form.without.filter((each) => each !== file.id);
    change({ without: on === file.for_ballots ? [...others, file.id] : others });
  };
  const unread = Boolean(check?.reason && check.columns.length);
  return (
    <div className="columns">
      <div className="stack">
        <Card title="Files">
          <FileList conference={id} files={files} used={used} onUse={use} />
          <DropZone conference={id} />
          <FetchFiles
            conference={conference}
            onFetched={(earlier) =>
              change({ without: [...form.without, ...earlier.map((file) => file.id)] })
            }
          />
        </Card>
        {files.length > 0 && (
          <>
            {check && check.contradictions.reviewers > 0 && (
              <Card title="Reviewers to ask">
                <ContradictionList
                  contradictions={check.contradictions}
                  csv={addressOf("/api/checks/{check}/contradictions.csv", { check: check.id })}
                />
              </Card>
            )}
            <CheckSummary {...state} />
            <ReadingChoices
              form={form}
              columns={check?.columns ?? []}
              open={unread}
              onChange={change}
            />
            {check && check.issue_counts.length > 0 && (
              <Card title="Issues">
                <IssueList
                  counts={check.issue_counts}
                  issues={check.issues}
                  csv={addressOf("/api/checks/{check}/issues.csv", { check: check.id })}
                  busy={busy}
                />
              </Card>
            )}
          </>
        )}
      </div>
      <div className="stack">
        <StartRun
          name={name}
          onName={setTypedName}
          reason={reasonToWait(form, request, state, name)}
          busy={starting.isPending}
          error={starting.error}
          onRun={() =>
            starting.mutate(undefined, {
              onSuccess: (run) => go(`/c/${id}/runs?started=${run.id}`),
            })
          }
        />
        <MethodChoices form={form} levels={check?.scale?.levels ?? []} onChange={change} />
      </div>
    </div>
  );
}

/** The form that starts a run; while it cannot start, it says why. */
function StartRun({
  name,
  onName,
  reason,
  busy,
  error,
  onRun,
}: {
  name: string;
  onName(name: string): void;
  reason: string | null;
  busy: boolean;
  error: Error | null;
  onRun(): void;
}) {
  const reasonId = useId();
  return (
    <Form
      className="card stack"
      aria-label="Start a run"
      onSubmit={() => {
        if (!reason && !busy) onRun();
      }}
    >
      <TextField
        label="Name of the run"
        maxLength={200}
        hint="Such as “Before rebuttal”. The results of a run never change."
        value={name}
        onChange={onName}
      />
      <ErrorNotice error={error} />
      <div className="stack tight">
        <Button
          type="submit"
          look="primary"
          disabled={reason !== null || busy}
          aria-describedby={reasonId}
        >
          Run
        </Button>
        <span id={reasonId} role="status" className="hint">
          {reason ?? "It runs in the background: you may close this page."}
        </span>
      </div>
    </Form>
  );
}
