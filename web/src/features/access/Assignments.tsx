// Assigns papers to area chairs: from a table, as the files of a run name them, or as they were before.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { post } from "../../api/client";
import type { Access, AssignmentResult, ConferenceDetail } from "../../api/schema";
import { useChange } from "../../app/queries";
import { Button } from "../../components/buttons";
import { Select } from "../../components/choices";
import { Dialog } from "../../components/Dialog";
import { FileButton } from "../../components/fields";
import { ErrorNotice, Lines, Notice, Warnings } from "../../components/Notice";
import { Time } from "../../components/tables";
import { counted, count } from "../../domain/format";

/** A table, a run, or what the last change replaced. */
type Source = File | { run: string } | "undo";

export function Assignments({
  conference: { id, runs },
  former,
}: {
  conference: ConferenceDetail;
  former: Access["former"];
}) {
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
        <FileButton
          text="Import a table"
          accept=".csv,.xlsx,.tsv,.json"
          disabled={planning.isPending}
          onFiles={([file]) => file && ask(file)}
        />
        {run && (
          <>
            <span className="soft">or</span>
            <Button disabled={planning.isPending} onClick={() => ask({ run })}>
              Take from run
            </Button>
            <Select
              aria-label="Run to take area chairs from"
              options={finished.map((each) => [each.id, each.name] as const)}
              value={run}
              onChange={setChosen}
            />
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
      {plan && plan.issues.length > 0 && (
        <Notice tone="bad">
          <p>Nothing was changed, because of these issues:</p>
          <Lines lines={plan.issues} />
        </Notice>
      )}
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

/** Preview what a source would change or, with the edition of that preview, change it. */
function send(conference: string, source: Source, edition?: number): Promise<AssignmentResult> {
  const of = { conference, ...(edition !== undefined && { edition }) };
  if (source instanceof File)
    return post("/api/conferences/{conference}/area-chairs", { ...of, name: source.name }, source);
  if (source === "undo") return post("/api/conferences/{conference}/area-chairs/undo", of);
  return post("/api/conferences/{conference}/area-chairs/from-run/{run}", { ...of, ...source });
}

/** What an import of area chairs would change, shown before it is confirmed. */
function AssignmentQuestion({
  plan,
  busy,
  error,
  onConfirm,
  onClose,
}: {
  plan: AssignmentResult;
  busy: boolean;
  error: Error | null;
  onConfirm(): void;
  onClose(): void;
}) {
  const changes = changesOf(plan);
  const anew = plan.added === plan.area_chairs && !plan.removed; // nobody was there before
  return (
    <Dialog title={anew ? "Take these area chairs?" : "Replace the area chairs?"} onClose={onClose}>
      <p>There will be {outcomeOf(plan)}</p>
      {changes.length > 0 ? <Lines lines={changes} label="Changes" /> : <p>{sameText(plan)}</p>}
      <Warnings warnings={warningsIn(plan)} />
      {plan.removed > 0 && (
        <p className="hint">
          Whoever is removed loses access at once. Undo brings them back with their papers and
          links.
        </p>
      )}
      <ErrorNotice error={error} />
      <div className="row">
        <Button look={plan.removed ? "danger" : "primary"} disabled={busy} onClick={onConfirm}>
          {anew ? "Take them" : "Replace"}
        </Button>
        <Button onClick={onClose}>Change nothing</Button>
      </div>
    </Dialog>
  );
}

const people = (number: number) => `${count(number)} ${number === 1 ? "person" : "people"}`;

/** One line for each change; none where nobody is added or removed. */
export function changesOf(plan: AssignmentResult): string[] {
  const { added, returning, returning_links, removed, removed_links } = plan;
  return [
    added && `adds ${people(added)}`,
    returning && `brings back ${people(returning)} with ${counted(returning_links, "link")}`,
    removed && `removes ${people(removed)}, and ${counted(removed_links, "link")} stop working`,
  ].filter((line) => line !== 0);
}

/** "Same 167 people; 167 e-mail addresses added, papers updated." */
export function sameText({ area_chairs, emails }: AssignmentResult): string {
  const added = emails
    ? `${count(emails)} e-mail ${emails === 1 ? "address" : "addresses"} added, `
    : "";
  return `Same ${people(area_chairs)}; ${added}papers updated.`;
}

/** What looks like a mistake in the table. */
export function warningsIn(plan: AssignmentResult): string[] {
  const { unknown_papers: unknown, unknown_examples: examples, unassigned_papers: left } = plan;
  const more = unknown > examples.length ? ", …" : "";
  return [
    unknown && `${counted(unknown, "paper")} in no run: ${examples.join(", ")}${more}`,
    left && `${counted(left, "paper")} of the newest run without an area chair`,
    ...plan.notes,
  ].filter((line) => line !== 0);
}

export function outcomeOf(result: AssignmentResult): string {
  return `${counted(result.area_chairs, "area chair")} with ${counted(result.papers, "paper")}.`;
}
