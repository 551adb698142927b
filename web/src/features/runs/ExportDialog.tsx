// The dialog that exports a finished run for a conference system.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { Form, TextField } from "../../components/fields";
import { Checkbox, RadioCards } from "../../components/choices";
import { Button } from "../../components/buttons";
import { Dialog } from "../../components/Dialog";
import { ErrorNotice } from "../../components/Notice";
import { saveFile } from "../../components/browser";
import { api } from "../../api/client";
import { fileOf, type NamedFile } from "../../api/files";
import type { SystemExport, SystemExportQuery } from "../../api/types";
import { SYSTEM_EXPORTS } from "../../domain/glossary";

export function ExportDialog({ run, onClose }: { run: string; onClose(): void }) {
  const [choice, setChoice] = useState<ExportChoice>({
    target: "hotcrp",
    tag: "dq",
    perReview: false,
    invitation: "",
  });
  const saving = useMutation({
    mutationFn: () => exportToSystem(run, choice),
    onSuccess: (file) => {
      saveFile(file);
      onClose();
    },
  });
  const change = (changes: Partial<ExportChoice>) => setChoice({ ...choice, ...changes });
  return (
    <Dialog title="Export" onClose={onClose}>
      <Form onSubmit={() => saving.mutate()}>
        <RadioCards
          label="For"
          cards={SYSTEM_EXPORTS}
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
      </Form>
    </Dialog>
  );
}

interface ExportChoice {
  target: SystemExport;
  tag: string;
  perReview: boolean;
  invitation: string;
}

/** Fetch the file for a system, with the name that the server gives it. */
export const exportToSystem = (
  run: string,
  { target, tag, perReview, invitation }: ExportChoice,
): Promise<NamedFile> =>
  fileOf(
    api.GET("/api/runs/{run}/export/{target}", {
      params: {
        path: { run, target },
        query: (target === "hotcrp"
          ? { tag: tag.trim(), per_review: perReview }
          : { invitation: invitation.trim() }) satisfies SystemExportQuery,
      },
      parseAs: "blob",
    }),
  );
