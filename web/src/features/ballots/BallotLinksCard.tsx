// Links for reviewers: for all, for those without one, and reminders for those who have not answered.
import { useState } from "react";

import { Card } from "../../components/Card";
import { Button } from "../../components/buttons";
import { post } from "../../api/client";
import type { BallotLinks, Collection } from "../../api/schema";
import { useChange } from "../../app/queries";
import { ErrorNotice, Warnings } from "../../components/Notice";
import { counted } from "../../domain/format";
import { daysIn } from "../access/LinkList";
import { LinkDays, NewLinks } from "../access/NewLinks";

const DAY = 86_400_000; // ms

export function BallotLinksCard({ collection }: { collection: Collection }) {
  const { id, counts, state, deadline, warnings } = collection;
  const [text, setText] = useState("30");
  const [now] = useState(() => Date.now());
  const days = daysIn(text);
  const making = useBallotLinks(id);
  const make = (request: Partial<BallotLinks>) =>
    making.mutate({ only: "all", ballot: null, existing: "keep", days: days ?? null, ...request });
  const tooShort = days && deadline && now + days * DAY < Date.parse(deadline);
  const busy = making.isPending || days === undefined;
  const without = counts.ballots - counts.invited;
  const silent = counts.ballots - counts.submitted;
  return (
    <Card
      title="Links for reviewers"
      look="tight"
      beside={<LinkDays days={text} onChange={setText} />}
    >
      <Warnings warnings={warnings} />
      {state === "closed" && (
        <p>The collection is closed: with their links reviewers can only read what they saved.</p>
      )}
      {tooShort && <p>Links made now expire before the deadline.</p>}
      <div className="row">
        <Button
          look="primary"
          disabled={busy || !without}
          onClick={() => make({ only: "without_link" })}
        >
          {without ? `Make links for ${counted(without, "reviewer")}` : "All have links"}
        </Button>
        <Button
          disabled={busy || !silent || counts.invited === 0}
          onClick={() => make({ only: "unanswered" })}
        >
          Reminders for {counted(silent, "reviewer")}
        </Button>
      </div>
      <p className="hint">
        You get a table of names, e-mail addresses and links for a mail merge; nothing is sent from
        here. A reminder is a further link to the same ballot for everybody who has not handed in:
        old links stay open.
      </p>
      <ErrorNotice error={making.error} />
      {making.data && (
        <NewLinks {...making.data} whose="Reviewer" warnings={warnings} onClose={making.reset} />
      )}
    </Card>
  );
}

/** Make links to ballots, as pages show them. */
export const useBallotLinks = (collection: string) =>
  useChange(async (request: BallotLinks) => {
    const path = "/api/collections/{collection}/links";
    const { links, csv } = await post(path, { collection }, request);
    const shown = links.map((link) => ({
      ...link,
      id: link.ballot,
      name: link.name ?? link.reviewer,
    }));
    return { links: shown, csv };
  });
