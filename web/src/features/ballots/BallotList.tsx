// The ballots of a collection, one row per reviewer.
import { useState } from "react";

import { Button } from "../../components/buttons";
import { TextField } from "../../components/fields";
import { DataTable } from "../../components/DataTable";
import type { BallotLine, Collection } from "../../api/types";
import { SegmentedControl } from "../../components/choices";
import { Time } from "../../components/tables";
import { BallotDialog } from "./BallotDialog";

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
                {email && <span className="hint ballot-email">{email}</span>}
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
