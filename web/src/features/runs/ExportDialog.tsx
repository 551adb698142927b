// A finished run for the conference system: the file, with what that system needs to be told.
import { useState } from "react";

import { getFile } from "../../api/client";
import { save } from "../../api/files";
import { Dialog } from "../../components/Dialog";
import { Notice } from "../../components/Notice";
import { RadioCards, type Card } from "../../components/RadioCards";
import { TextField } from "../../components/TextField";
import { useTask } from "../../app/useTask";
import { exportName, exportPath, type ExportChoice, type Target } from "./exportToSystem";

const CARDS: readonly Card<Target>[] = [
  {
    value: "hotcrp",
    title: "HotCRP",
    words: "Tag values for each paper, as a bulk assignment (CSV).",
  },
  { value: "openreview", title: "OpenReview edges", words: "An edge for each review (JSON)." },
  { value: "openreview-notes", title: "OpenReview notes", words: "A note for each paper (JSON)." },
];

export function ExportDialog({ run, onClose }: { run: string; onClose(): void }) {
  const [choice, setChoice] = useState<ExportChoice>({
    target: "hotcrp",
    tag: "dq",
    perReview: false,
    invitation: "",
  });
  const saving = useTask();
  const change = (changes: Partial<ExportChoice>) => setChoice({ ...choice, ...changes });
  const download = () =>
    saving.run(async () => {
      const { blob, name } = await getFile(exportPath(run, choice));
      save(blob, name ?? exportName(choice.target));
      onClose();
    });
  return (
    <Dialog title="Export" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void download();
        }}
      >
        <RadioCards
          label="For"
          cards={CARDS}
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
              hint="How the tags start, such as dq."
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
            hint="The invitation of your venue that the file is posted to."
            value={choice.invitation}
            onChange={(invitation) => change({ invitation })}
          />
        )}
        {saving.problem && <Notice tone="bad">{saving.problem}</Notice>}
        <div className="row">
          <button type="submit" className="button primary" disabled={saving.busy}>
            Download
          </button>
        </div>
      </form>
    </Dialog>
  );
}
