// The dialog that exports a finished run for a conference system.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { Dialog } from "../../components/Dialog";
import { ErrorNotice } from "../../components/Notice";
import { RadioCards } from "../../components/RadioCards";
import { saveFile } from "../../components/saveFile";
import { TextField } from "../../components/TextField";
import { exportToSystem, TARGETS, type ExportChoice } from "./exportToSystem";

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
            <label className="check-line">
              <input
                type="checkbox"
                checked={choice.perReview}
                onChange={(event) => change({ perReview: event.target.checked })}
              />
              A tag for each review as well
            </label>
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
          <button type="submit" className="button primary" disabled={saving.isPending}>
            Download
          </button>
        </div>
      </form>
    </Dialog>
  );
}
