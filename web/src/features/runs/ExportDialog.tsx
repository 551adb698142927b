// The dialog that exports a finished run for a conference system.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { Checkbox, RadioCards } from "../../components/choices";
import { Button } from "../../components/buttons";
import { Dialog } from "../../components/Dialog";
import { ErrorNotice } from "../../components/Notice";
import { saveFile } from "../../components/browser";
import { TextField } from "../../components/fields";
import { api } from "../../api/client";
import type { SystemExportQuery } from "../../api/types";
import type { Entry } from "../../domain/glossary";

export function ExportDialog({ run, onClose }: { run: string; onClose(): void }) {
  const [choice, setChoice] = useState<ExportChoice>({
    target: "hotcrp",
    tag: "dq",
    perReview: false,
    invitation: "",
  });
  const saving = useMutation({
    mutationFn: () => exportToSystem(run, choice),
    onSuccess: ({ blob, name }) => {
      saveFile(blob, name);
      onClose();
    },
  });
  const change = (changes: Partial<ExportChoice>) => setChoice({ ...choice, ...changes });
  return (
    <Dialog title="Export" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <RadioCards
          label="For"
          cards={TARGETS}
          value={choice.target}
          onChange={(target) => change({ target })}
        />
        {choice.target === "hotcrp" ? (
          <>
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
        ) : (
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
        <div className="row">
          <Button type="submit" look="primary" disabled={saving.isPending}>
            Download
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export type Target = "hotcrp" | "openreview" | "openreview-notes";

export const TARGETS: Record<Target, Entry> = {
  hotcrp: { title: "HotCRP", text: "Tag values for each paper, as a bulk assignment (CSV)." },
  openreview: { title: "OpenReview edges", text: "An edge for each review (JSON)." },
  "openreview-notes": { title: "OpenReview notes", text: "A note for each paper (JSON)." },
};

export interface ExportChoice {
  target: Target;
  tag: string;
  perReview: boolean;
  invitation: string;
}

/** Fetch the file for a system, with the name that the server gives it. */
export async function exportToSystem(
  run: string,
  choice: ExportChoice,
): Promise<{ blob: Blob; name: string }> {
  const { target, tag, perReview, invitation } = choice;
  const { data, response } = await api.GET("/api/runs/{run}/export/{target}", {
    params: {
      path: { run, target },
      query: (target === "hotcrp"
        ? { tag: tag.trim(), per_review: perReview }
        : { invitation: invitation.trim() }) satisfies SystemExportQuery,
    },
    parseAs: "blob",
  });
  const header = response.headers.get("Content-Disposition") ?? "";
  const name = /filename="?([^";]+)"?/.exec(header)?.[1];
  const ending = target === "hotcrp" ? "csv" : "json";
  return { blob: data ?? new Blob(), name: name ?? `${target}.${ending}` };
}
