// The rankings of a collection: used in a run, or downloaded.
import { useState } from "react";
import { useMutation } from "@tanstack/react-query";

import { Card } from "../../components/Card";
import { Button } from "../../components/buttons";
import type { Collection, ConferenceDetail, FileInfo, UseBallots } from "../../api/schema";
import { fileAt, post } from "../../api/client";
import { useChange } from "../../app/queries";
import { Link } from "../../app/route";
import { ErrorNotice, Notice } from "../../components/Notice";
import { SegmentedControl, Select } from "../../components/choices";
import { counted } from "../../domain/format";
import { hasStatus } from "../../api/errors";
import { saveFile } from "../../components/browser";
import { optionsIn, RANKING_EXPORTS, type RankingFormat } from "../../domain/glossary";

export function RankingsCard({
  collection: { id, counts, contradictions },
  conference,
}: {
  collection: Collection;
  conference: ConferenceDetail;
}) {
  const [which, setWhich] = useState<UseBallots["which"]>("saved");
  const [unanswered, setUnanswered] = useState<UseBallots["unanswered"]>("keep");
  const using = useChange((request: UseBallots) =>
    post("/api/collections/{collection}/use", { collection: id }, request),
  );
  const none = counts[which] === 0;
  return (
    <Card title="Rankings">
      <div className="row">
        <SegmentedControl<UseBallots["which"]>
          label="Ballots that count"
          options={[
            ["saved", `All saved (${counts.saved})`],
            ["submitted", `Handed in (${counts.submitted})`],
          ]}
          value={which}
          onChange={setWhich}
        />
        <span className="soft" aria-hidden="true">
          Contradictions without an answer
        </span>
        <SegmentedControl<UseBallots["unanswered"]>
          label="Contradictions without an answer"
          options={[
            ["keep", "Keep"],
            ["drop", "Leave out"],
          ]}
          value={unanswered}
          onChange={setUnanswered}
        />
      </div>
      <div className="row">
        <Button
          look="primary"
          disabled={none || using.isPending}
          onClick={() => using.mutate({ which, unanswered })}
        >
          Use in a run
        </Button>
        <span className="soft">or</span>
        <ExportRankings collection={id} which={which} unanswered={unanswered} none={none} />
      </div>
      {contradictions.changed_scores > 0 && (
        <p className="hint">
          A run takes the scores from your files. What reviewers would change does not count there
          until it is changed in your system: download “Changed scores” for a list.
        </p>
      )}
      <ErrorNotice error={using.error} />
      {using.data && (
        <Notice tone="good">
          <p>
            {counted(using.data.ballots, "ballot")} became{" "}
            {using.data.files.map((file) => `“${file.name}”`).join(" and ")} among the files of this
            conference. {using.data.advice}
          </p>
          {using.data.earlier.length > 0 && (
            <p>
              {counted(using.data.earlier.length, "file")} that this collection became before{" "}
              {using.data.earlier.length === 1 ? "is" : "are"} not used in the new run.
            </p>
          )}
          <Link
            to={`/c/${conference.id}?conflicts=${using.data.conflicts}${without(using.data.earlier)}`}
            className="button primary"
          >
            Go to the new run
          </Link>
        </Notice>
      )}
    </Card>
  );
}

/** The part of the import page's address that leaves out files; the page ticks all others. */
const without = (files: FileInfo[]): string =>
  files.length ? `&without=${files.map((file) => file.id).join(",")}` : "";

/** Downloads the rankings of a collection in a format that runs and systems read. */
function ExportRankings({
  collection,
  which,
  unanswered,
  none,
}: {
  collection: string;
  none: boolean; // no ballot would be in it
} & Required<UseBallots>) {
  const [to, setTo] = useState<RankingFormat>("ranks");
  const exporting = useMutation({
    mutationFn: async (partial: "refuse" | "omit") =>
      saveFile(
        await fileAt("/api/collections/{collection}/export", {
          ...{ collection, to, which, unanswered, partial },
        }),
      ),
  });
  return (
    <>
      <Select
        aria-label="Format"
        options={optionsIn(RANKING_EXPORTS)}
        value={to}
        onChange={(format) => {
          exporting.reset();
          setTo(format);
        }}
      />
      <Button disabled={none || exporting.isPending} onClick={() => exporting.mutate("refuse")}>
        Download
      </Button>
      {none && <span className="soft">No such ballot yet.</span>}
      <ErrorNotice error={exporting.error} />
      {hasStatus(exporting.error, 422) && (
        <Button onClick={() => exporting.mutate("omit")}>Download without these ballots</Button>
      )}
    </>
  );
}
