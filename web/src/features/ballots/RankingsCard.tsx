// The rankings of a collection: as files of a run, or exported.
import { useId, useState } from "react";

import { addressOf } from "../../api/client";
import type { Collection, Conference, UseBallots } from "../../api/types";
import { useChange } from "../../app/queries";
import { Link } from "../../app/route";
import { ErrorNotice, Notice } from "../../components/Notice";
import { Switch } from "../../components/Switch";
import { counted } from "../../domain/format";
import { putBallotsToUse } from "./requests";

const TARGETS = {
  ranks: "Ranks (CSV)",
  pairs: "Comparisons (CSV)",
  same: "About the same (CSV)",
  workbook: "Workbook (XLSX)",
  parquet: "Comparisons (Parquet)",
  hotcrp: "HotCRP",
  openreview: "OpenReview tags",
  cmt: "CMT",
};

export function RankingsCard({
  collection: { id, counts },
  conference,
}: {
  collection: Collection;
  conference: Conference;
}) {
  const field = useId();
  const [which, setWhich] = useState<UseBallots["which"]>("saved");
  const [unanswered, setUnanswered] = useState<UseBallots["unanswered"]>("keep");
  const [to, setTo] = useState("ranks");
  const using = useChange((request: UseBallots) => putBallotsToUse(id, request));
  const none = counts[which] === 0;
  return (
    <section className="card stack" aria-labelledby="rankings">
      <h2 id="rankings">Rankings</h2>
      <div className="row">
        <Switch<UseBallots["which"]>
          label="Ballots that count"
          options={[
            ["saved", `All saved (${counts.saved})`],
            ["submitted", `Handed in (${counts.submitted})`],
          ]}
          value={which}
          onChange={setWhich}
        />
        <Switch<UseBallots["unanswered"]>
          label="Contradictions without an answer"
          options={[
            ["keep", "Keep what is unanswered"],
            ["drop", "Leave out what is unanswered"],
          ]}
          value={unanswered}
          onChange={setUnanswered}
        />
      </div>
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={none || using.isPending}
          onClick={() => using.mutate({ which, unanswered })}
        >
          Use in a run
        </button>
        <span className="soft">or</span>
        <label htmlFor={field} className="visually-hidden">
          Format
        </label>
        <select
          id={field}
          className="select"
          value={to}
          onChange={(event) => setTo(event.target.value)}
        >
          {Object.entries(TARGETS).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
        {none ? (
          <span className="soft">No such ballot yet.</span>
        ) : (
          <a
            className="button"
            href={addressOf(
              "/api/collections/{collection}/export",
              { collection: id },
              { to, which, unanswered },
            )}
          >
            Download
          </a>
        )}
      </div>
      <ErrorNotice error={using.error} />
      {using.data && (
        <Notice tone="good">
          <p>
            {counted(using.data.ballots, "ballot")} became{" "}
            {using.data.files.map((file) => file.name).join(", ")} among the files of this
            conference. {using.data.advice}
          </p>
          <Link
            to={`/c/${conference.id}?conflicts=${using.data.conflicts}`}
            className="button primary"
          >
            Go to the new run
          </Link>
        </Notice>
      )}
    </section>
  );
}
