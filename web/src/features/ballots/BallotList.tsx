// The ballots of a collection, one row per reviewer, and one of them as a chair sees it.
import { useState } from "react";

import { Button } from "../../components/buttons";
import { TextField } from "../../components/fields";
import { DataTable } from "../../components/DataTable";
import type { BallotDetail, BallotLine, Collection } from "../../api/schema";
import { useGet } from "../../app/queries";
import { Dialog } from "../../components/Dialog";
import { ErrorNotice, QueryStatus } from "../../components/Notice";
import { SegmentedControl } from "../../components/choices";
import { Time } from "../../components/tables";
import { NewLinks } from "../access/NewLinks";
import type { BallotContent } from "../ballot/useBallot";
import { AnswerList, ContentText } from "../ballot/BallotText";
import { useBallotLinks } from "./BallotLinksCard";

type Only = "all" | "silent";

export function BallotList({ collection }: { collection: Collection }) {
  const [text, setText] = useState("");
  const [only, setOnly] = useState<Only>("all");
  const [chosen, setChosen] = useState<BallotLine | null>(null);
  const words = text.toLowerCase();
  const shown = collection.ballots.filter(
    ({ reviewer, name, email, submitted }) =>
      (only === "all" || !submitted) &&
      `${reviewer}\n${name ?? ""}\n${email ?? ""}`.toLowerCase().includes(words),
  );
  return (
    <section className="card stack tight" aria-labelledby="ballots">
      <div className="row spread">
        <h2 id="ballots">Ballots</h2>
        <div className="row">
          <SegmentedControl<Only>
            label="Which ballots"
            options={[
              ["all", "All"],
              ["silent", "Not handed in"],
            ]}
            value={only}
            onChange={setOnly}
          />
          <TextField beside label="Find" type="search" value={text} onChange={setText} />
        </div>
      </div>
      <DataTable
        label="Ballots"
        box="Table of ballots"
        look="people row-blocks"
        most={200}
        rows={shown}
        keyOf={({ id }) => id}
        columns={[
          {
            head: "Reviewer",
            cell: ({ name, reviewer, email }) => (
              <>
                {name ?? reviewer}
                {email && <span className="hint block wrap">{email}</span>}
              </>
            ),
            names: true,
            look: "person",
          },
          { head: "State", cell: (line) => <LineState line={line} /> },
          { head: "Placed", cell: ({ placed, papers }) => `${placed} of ${papers}`, number: true },
          {
            head: "Contradictions",
            cell: ({ contradictions, unanswered }) =>
              unanswered ? `${contradictions} (${unanswered} open)` : contradictions,
            number: true,
            onWide: true,
          },
        ]}
        actions={(line) => (
          <Button
            look="quiet"
            aria-label={`Open the ballot of ${line.name ?? line.reviewer}`}
            onClick={() => setChosen(line)}
          >
            Open
          </Button>
        )}
      />
      {!shown.length && <p className="soft waiting">No ballot matches.</p>}

      {chosen && (
        <BallotDialog collection={collection} line={chosen} onClose={() => setChosen(null)} />
      )}
    </section>
  );
}

/** The furthest that a reviewer has come, and when. */
function LineState({ line: { invited, opened, saved, submitted } }: { line: BallotLine }) {
  if (submitted) return <Step tone="good" text="Handed in" at={submitted} />;
  if (saved) return <Step tone="warn" text="Saved" at={saved} />;
  if (opened) return <Step tone="warn" text="Opened" at={opened} />;
  if (invited) return <Step tone="" text="Link made" at={invited} />;
  return <span className="soft">No link yet</span>;
}

function Step({ tone, text, at }: { tone: string; text: string; at: string }) {
  return (
    <span>
      <span className={`badge ${tone}`}>{text}</span>{" "}
      <span className="soft on-wide">
        <Time at={at} />
      </span>
    </span>
  );
}

/** One ballot as a chair sees it: its order, its contradictions, and every version. */
function BallotDialog({
  collection,
  line,
  onClose,
}: {
  collection: Collection;
  line: BallotLine;
  onClose(): void;
}) {
  const who = line.name ?? line.reviewer;
  const query = useGet("/api/collections/{collection}/ballots/{ballot}", {
    ...{ collection: collection.id, ballot: line.id },
  });
  const making = useBallotLinks(collection.id);
  const { links } = making.data ?? {};
  if (links)
    return (
      <NewLinks links={links} whose="Reviewer" warnings={collection.warnings} onClose={onClose} />
    );
  return (
    <Dialog title={`Ballot of ${who}`} onClose={onClose} wide>
      <QueryStatus query={query} />
      {query.data && <Detail detail={query.data} />}
      <ErrorNotice error={making.error} />
      <div className="row">
        <Button
          disabled={making.isPending}
          onClick={() =>
            making.mutate({ ballot: line.id, only: "all", existing: "replace", days: 30 })
          }
        >
          Replace the link
        </Button>
        <span className="hint">Ends the old link at once; the new one is valid for 30 days.</span>
      </div>
    </Dialog>
  );
}

function Detail({ detail: { papers, contradictions, versions } }: { detail: BallotDetail }) {
  const known = new Map(papers.map((each) => [each.paper, each]));
  const newest = versions.at(-1);
  return (
    <>
      {newest ? (
        <ContentText content={newest.content as BallotContent} papers={known} />
      ) : (
        <p className="soft">Nothing is saved yet.</p>
      )}
      <AnswerList
        contradictions={contradictions}
        scores={newest?.content.scores ?? {}}
        papers={known}
      />
      {versions.toReversed().map(({ version, saved_at, submitted, receipt, content }) => (
        <details key={version}>
          <summary>
            Version {version}, <Time at={saved_at} />
            {submitted && ", handed in"}, checksum <span className="mono">{receipt}</span>
          </summary>
          <ContentText content={content as BallotContent} papers={known} />
        </details>
      ))}
    </>
  );
}
