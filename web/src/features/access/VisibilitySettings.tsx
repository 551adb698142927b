// What area chairs see in addition to the reviews of their papers, and which runs.
import { useState } from "react";

import { Card } from "../../components/Card";
import { patch } from "../../api/client";
import type { ConferenceChange, ConferenceDetail } from "../../api/schema";
import { useChange } from "../../app/queries";
import { Confirm } from "../../components/Dialog";
import { ErrorNotice } from "../../components/Notice";
import { RadioCards, Toggle } from "../../components/choices";
import { DISCLOSURE_ADVICE, DISCLOSURES } from "../../domain/glossary";
import { ShareToggle } from "../runs/ManageRun";

const SETTINGS = [
  {
    name: "show_stars",
    label: "Show ★ for papers outside the scope",
    hint: "In a reviewer’s ranking, a star marks the place of another paper, never which one.",
  },
  {
    name: "show_names",
    label: "Show reviewers’ names to area chairs",
    hint: "Otherwise they see the same pseudonym for a reviewer throughout a run.",
  },
  {
    name: "show_line",
    label: "Show which of their papers are above, near or below the line",
    hint: "Near: tied at the line, or too close to call. It tells roughly where their papers stand among all, and no score.",
  },
  {
    name: "show_decisions",
    label: "Show imported decisions to area chairs",
    hint: "Those that the files of a run hold, for their papers. Your decisions here are not shown.",
  },
] as const;

export function VisibilitySettings({ conference }: { conference: ConferenceDetail }) {
  const finished = conference.runs.filter((run) => run.status === "done");
  return (
    <Card title="What area chairs see">
      <DisclosureSetting conference={conference} />
      <div className="stack tight">
        {SETTINGS.map((setting) => (
          <Setting key={setting.name} conference={conference} {...setting} />
        ))}
      </div>
      <div className="stack tight">
        <h3>Shared runs</h3>
        {finished.filter((run) => run.shared).length > 1 && conference.disclosure === "order" && (
          <p className="hint">{DISCLOSURE_ADVICE.several_runs}</p>
        )}
        {!finished.length && <p className="soft">No finished run yet.</p>}
        {finished.map((run) => (
          <div className="row" key={run.id}>
            <ShareToggle run={run} />
            <span>{run.name}</span>
          </div>
        ))}
      </div>
    </Card>
  );
}

/** What kind of numbers area chairs get. */
function DisclosureSetting({ conference }: { conference: ConferenceDetail }) {
  const changing = useSetting(conference.id, "disclosure");
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <RadioCards
        label="Numbers that area chairs get"
        cards={DISCLOSURES}
        value={(changing.isPending && changing.variables) || (conference.disclosure ?? "order")}
        onChange={(disclosure) =>
          disclosure === "exact" ? setAsking(true) : changing.mutate(disclosure)
        }
      />
      <p className="hint">
        {DISCLOSURES.scoped.title}: {DISCLOSURE_ADVICE.scoped}
      </p>
      <ErrorNotice error={changing.error} />
      {asking && (
        <Confirm
          title="Show exact numbers to all area chairs?"
          action="Show exact numbers"
          keep="Change nothing"
          busy={changing.isPending}
          error={changing.error}
          onClose={close}
          onConfirm={() => changing.mutate("exact", { onSuccess: close })}
        >
          {DISCLOSURES.exact.text} It applies at once to everybody with a link, and what they have
          seen cannot be taken back.
        </Confirm>
      )}
    </>
  );
}

function Setting({
  conference,
  name,
  label,
  hint,
}: {
  conference: ConferenceDetail;
} & (typeof SETTINGS)[number]) {
  const changing = useSetting(conference.id, name);
  return (
    <>
      <label className="row toggle-line">
        <Toggle
          label={label}
          describedBy={`${name}-hint`}
          checked={conference[name] ?? false}
          change={changing}
        />
        <span>
          {label}
          <span id={`${name}-hint`} className="hint block">
            {hint}
          </span>
        </span>
      </label>
      <ErrorNotice error={changing.error} />
    </>
  );
}

/** The change of one setting of a conference. */
const useSetting = <Name extends keyof ConferenceChange>(conference: string, name: Name) =>
  useChange((value: ConferenceChange[Name]) =>
    patch("/api/conferences/{conference}", { conference }, { [name]: value }),
  );
