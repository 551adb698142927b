// The dialog that exports a finished run for a conference system, or sends it there.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { Form, TextField } from "../../components/fields";
import { Checkbox, RadioCards } from "../../components/choices";
import { Button } from "../../components/buttons";
import { Dialog } from "../../components/Dialog";
import { ErrorNotice } from "../../components/Notice";
import { saveFile } from "../../components/browser";
import { useGet } from "../../app/queries";
import { fileAt, post } from "../../api/client";
import type { SystemAccess, SendResults } from "../../api/schema";
import { count } from "../../domain/format";
import {
  EXPORT_PARTS,
  LIVE_SYSTEMS,
  SYSTEM_EXPORTS,
  type ExportPart,
  type SystemExport,
} from "../../domain/glossary";
import { SystemFields, trimmed } from "../../components/SystemFields";

const PARTS = Object.keys(EXPORT_PARTS) as ExportPart[];
const POSTED: SystemExport[] = ["openreview", "openreview-notes"]; // to an invitation

export function ExportDialog({
  run,
  conference,
  onClose,
}: {
  run: string;
  conference: string;
  onClose(): void;
}) {
  const marks = useGet("/api/conferences/{conference}/papers", { conference });
  const decided = (marks.data?.papers ?? []).filter(({ decision }) => decision).length;
  const [chosen, setChosen] = useState<Omit<ExportChoice, "include">>({
    target: "hotcrp",
    tag: "dq",
    perReview: false,
    invitation: "",
  });
  // Decisions that there are go along, unless the reader chooses otherwise.
  const [parts, setParts] = useState<ExportPart[] | null>(null);
  const include: ExportPart[] = parts ?? (decided ? ["scores", "decisions"] : ["scores"]);
  const choice = { ...chosen, include };
  const saving = useMutation({
    mutationFn: () => exportToSystem(run, choice),
    onSuccess: (file) => {
      saveFile(file);
      onClose();
    },
  });
  const change = (changes: Partial<typeof chosen>) => setChosen({ ...chosen, ...changes });
  return (
    <Dialog title="Export" onClose={onClose}>
      <Form onSubmit={() => saving.mutate()}>
        <RadioCards
          label="For"
          cards={SYSTEM_EXPORTS}
          value={choice.target}
          onChange={(target) => change({ target })}
        />
        {choice.target === "hotcrp" && (
          <>
            {PARTS.map((part) => (
              <Checkbox
                key={part}
                checked={include.includes(part)}
                onChange={(checked) =>
                  setParts(PARTS.filter((one) => (one === part ? checked : include.includes(one))))
                }
              >
                {EXPORT_PARTS[part].title}
                {part === "decisions" && ` (${count(decided)})`}: {EXPORT_PARTS[part].text}
              </Checkbox>
            ))}
            <TextField
              label="Tag"
              look="narrow"
              required
              maxLength={100}
              hint="The beginning of each tag, such as dq."
              value={choice.tag}
              onChange={(tag) => change({ tag })}
            />
            <Checkbox
              checked={choice.perReview}
              onChange={(checked) => change({ perReview: checked })}
            >
              A tag for each review as well
            </Checkbox>
          </>
        )}
        {POSTED.includes(choice.target) && (
          <TextField
            label="Invitation"
            required
            maxLength={500}
            placeholder="VENUE/-/Dequantized_Score"
            hint="The invitation of your venue to which the file is posted."
            value={choice.invitation}
            onChange={(invitation) => change({ invitation })}
          />
        )}
        <ErrorNotice error={saving.error} />
        <div className="row dialog-actions">
          <Button type="submit" look="primary" disabled={saving.isPending || marks.isPending}>
            Download
          </Button>
        </div>
      </Form>
      {isLive(choice.target) && (
        <SendToSystem
          key={choice.target}
          run={run}
          system={choice.target}
          options={hotcrpParts(choice)}
        />
      )}
    </Dialog>
  );
}

interface ExportChoice {
  target: SystemExport;
  tag: string;
  include: ExportPart[];
  perReview: boolean;
  invitation: string;
}

const hotcrpParts = ({ tag, include, perReview }: ExportChoice) => ({
  tag: tag.trim(),
  include,
  per_review: perReview,
});

const isLive = (target: SystemExport): target is SystemAccess["system"] => target in LIVE_SYSTEMS;

/** Fetch the file for a system, with the name that the server gives it. */
export const exportToSystem = (run: string, choice: ExportChoice) => {
  const { target, invitation } = choice;
  return fileAt("/api/runs/{run}/export/{target}", {
    ...{ run, target },
    ...(target === "hotcrp" && hotcrpParts(choice)),
    ...(POSTED.includes(target) && { invitation: invitation.trim() }),
  });
};

function SendToSystem({
  run,
  system,
  options,
}: {
  run: string;
  system: SystemAccess["system"];
  options: Pick<SendResults, "tag" | "include" | "per_review">;
}) {
  const [access, setAccess] = useState<SystemAccess>({ system, url: "", token: "" });
  const wanted = { ...trimmed({ ...access, system }), ...options };
  const sending = useMutation({
    mutationFn: (body: SendResults) => post("/api/runs/{run}/send", { run }, body),
  });
  const { data, variables, isPending } = sending;
  // What was shown may be sent only while nothing else is chosen.
  const shown =
    data &&
    variables?.dry_run &&
    JSON.stringify({ ...wanted, dry_run: true }) === JSON.stringify(variables);
  return (
    <details>
      <summary>Or send it to a running {LIVE_SYSTEMS[system].title}</summary>
      <Form
        aria-label={`Send to ${LIVE_SYSTEMS[system].title}`}
        onSubmit={() => sending.mutate({ ...wanted, dry_run: true })}
      >
        <SystemFields access={access} onChange={setAccess} />
        <div className="row">
          <Button type="submit" disabled={isPending}>
            Show what would change
          </Button>
          <Button
            look="primary"
            disabled={isPending || !shown}
            onClick={() => sending.mutate({ ...wanted, dry_run: false })}
          >
            Send
          </Button>
        </div>
        <div role="status" className="soft">
          {isPending ? `Asking ${LIVE_SYSTEMS[system].title}` : data?.changes.join("; ")}
        </div>
        <ErrorNotice error={sending.error} />
      </Form>
    </details>
  );
}
