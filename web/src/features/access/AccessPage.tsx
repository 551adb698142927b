// Access: area chairs and their links, what they see, links for chairs, and the log.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { Card } from "../../components/Card";
import { Button } from "../../components/buttons";
import { api, bodyOf } from "../../api/client";
import type { AreaChair, Conference, LinkRequest } from "../../api/types";
import { accessQuery, logQuery, useChange } from "../../app/queries";
import { ErrorNotice, Warnings, QueryStatus } from "../../components/Notice";
import { AccessLog } from "./AccessLog";
import { AreaChairs } from "./AreaChairs";
import { Assignments } from "./Assignments";
import { ChairLinks } from "./LinkList";
import { daysIn, withOpenLink } from "./links";
import { LinkDays, NewLinks } from "./NewLinks";
import { PrivacyCard } from "./PrivacyCard";
import { VisibilitySettings } from "./VisibilitySettings";
import { Dialog } from "../../components/Dialog";
import { count } from "../../domain/format";
import "./access.css";

/** For area chairs, all of them or one, or for a chair by name. */
type Recipients = { people: AreaChair[]; all: boolean } | { chair: string };
type LinksRequest = { recipients: Recipients; existing: Existing | "refuse" };

export function AccessPage({ conference }: { conference: Conference }) {
  const access = useQuery(accessQuery(conference.id));
  const log = useQuery(logQuery(conference.id));
  const [daysText, setDaysText] = useState("30");
  const [asked, setAsked] = useState<{ people: AreaChair[]; all: boolean; having: number }>();
  const days = daysIn(daysText);
  const making = useChange((request: LinksRequest) =>
    makeLinks(conference.id, days ?? null, request),
  );
  const busy = making.isPending || days === undefined;
  const everyone = access.data?.area_chairs ?? [];
  const warnings = access.data?.warnings ?? [];
  const make = (people: AreaChair[], all: boolean) => {
    const having = withOpenLink(people, Date.now());
    if (having) setAsked({ people, all, having });
    else making.mutate({ recipients: { people, all }, existing: "refuse" });
  };
  return (
    <div className="stack">
      <Card
        title="Area chairs"
        beside={
          <div className="row">
            <LinkDays days={daysText} onChange={setDaysText} />
            <Button
              look="primary"
              disabled={busy || !everyone.length}
              onClick={() => make(everyone, true)}
            >
              Links for all
            </Button>
          </div>
        }
      >
        <Warnings warnings={warnings} />
        <ErrorNotice error={making.error} />
        <QueryStatus query={access} />
        {access.data && (
          <AreaChairs
            people={everyone}
            runs={conference.runs}
            busy={busy}
            onMake={(person) => make([person], false)}
          />
        )}
        <Assignments conference={conference} former={access.data?.former ?? null} />
      </Card>
      <VisibilitySettings conference={conference} />
      <PrivacyCard conference={conference} />
      {access.data && (
        <ChairLinks
          title="Links for chairs"
          hint="Anybody with such a link sees everything of this conference and may change everything
            in it, and nothing of other conferences. The log shows the name."
          whose="chairs"
          links={access.data.chair_links}
          busy={busy}
          onMake={(name) => making.mutate({ recipients: { chair: name }, existing: "refuse" })}
        />
      )}
      <AccessLog log={log} />
      {asked && (
        <LinkQuestion
          name={asked.all ? null : (asked.people[0]?.name ?? null)}
          having={asked.having}
          people={asked.people.length}
          onClose={() => setAsked(undefined)}
          onChoose={(existing) => {
            making.mutate({ recipients: asked, existing });
            setAsked(undefined);
          }}
        />
      )}
      {making.data && <NewLinks links={making.data} warnings={warnings} onClose={making.reset} />}
    </div>
  );
}

async function makeLinks(conference: string, days: number | null, request: LinksRequest) {
  const params = { path: { conference } };
  const { recipients, existing } = request;
  if ("people" in recipients && recipients.all)
    return bodyOf(
      api.POST("/api/conferences/{conference}/links/all", { params, body: { days, existing } }),
    );
  const whom =
    "chair" in recipients
      ? { area_chair: null, label: recipients.chair }
      : { area_chair: recipients.people[0]?.id ?? null, label: "" };
  const rule = existing === "skip" ? "refuse" : existing; // nobody else to make one for
  const body = { ...whom, days, existing: rule } satisfies LinkRequest;
  return [await bodyOf(api.POST("/api/conferences/{conference}/links", { params, body }))];
}

type Existing = "replace" | "keep" | "skip";

/** Asks what to do with links that still work when new ones are made. */
function LinkQuestion({
  name,
  having,
  people,
  onChoose,
  onClose,
}: {
  name: string | null; // of the one person that it is about
  having: number; // how many have a link that works
  people: number;
  onChoose(existing: Existing): void;
  onClose(): void;
}) {
  const rest = people - having;
  return (
    <Dialog
      title={
        name
          ? `${name} has a link already`
          : `${count(having)} of ${count(people)} area chairs have links already`
      }
      onClose={onClose}
    >
      <p>
        A link is shown only when it is made, so an old one cannot be shown again. Replacing ends
        the old {name ? "link" : "links"} at once, also where {name ? "it is" : "they are"} open
        now.
      </p>
      <div className="row">
        {!name && rest > 0 && (
          <Button look="primary" onClick={() => onChoose("skip")}>
            Only for the other {count(rest)}
          </Button>
        )}
        <Button look="danger" onClick={() => onChoose("replace")}>
          {name ? "Replace it" : `Replace, for all ${count(people)}`}
        </Button>
        {name && <Button onClick={() => onChoose("keep")}>Make another</Button>}
        <Button onClick={onClose}>Make none</Button>
      </div>
    </Dialog>
  );
}
