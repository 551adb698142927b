// Access: area chairs and their links, what they see, links for chairs, and the log.
import { useState } from "react";

import { post } from "../../api/client";
import type { AreaChairDetail, ConferenceDetail, RunSummary } from "../../api/schema";
import { useChange, useGet } from "../../app/queries";
import { Link } from "../../app/route";
import { Button } from "../../components/buttons";
import { Card } from "../../components/Card";
import { SelectField } from "../../components/choices";
import { DataTable } from "../../components/DataTable";
import { Dialog } from "../../components/Dialog";
import { TextField } from "../../components/fields";
import { ErrorNotice, QueryStatus, Warnings } from "../../components/Notice";
import { count } from "../../domain/format";
import { AccessLog } from "./ServerPage";
import { Assignments } from "./Assignments";
import { ChairLinks, LinkList, daysIn, withOpenLink } from "./LinkList";
import { LinkDays, NewLinks } from "./NewLinks";
import { PrivacyCard } from "./PrivacyCard";
import { VisibilitySettings } from "./VisibilitySettings";
import "./access.css";

/** For area chairs, all of them or one, or for a chair by name. */
type Recipients = { people: AreaChairDetail[]; all: boolean } | { chair: string };
type LinksRequest = { recipients: Recipients; existing: Existing | "refuse" };

export function AccessPage({ conference }: { conference: ConferenceDetail }) {
  const path = { conference: conference.id };
  const access = useGet("/api/conferences/{conference}/access", path);
  const log = useGet("/api/conferences/{conference}/log", path);
  const [daysText, setDaysText] = useState("30");
  const [asked, setAsked] = useState<{ people: AreaChairDetail[]; all: boolean; having: number }>();
  const days = daysIn(daysText);
  const making = useChange((request: LinksRequest) =>
    makeLinks(conference.id, days ?? null, request),
  );
  const busy = making.isPending || days === undefined;
  const everyone = access.data?.area_chairs ?? [];
  const warnings = access.data?.warnings ?? [];
  const make = (people: AreaChairDetail[], all: boolean) => {
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

/** The table of area chairs with their papers and links. */
function AreaChairs({
  people,
  runs,
  busy,
  onMake,
}: {
  people: AreaChairDetail[];
  runs: RunSummary[];
  busy: boolean;
  onMake(person: AreaChairDetail): void;
}) {
  const [text, setText] = useState("");
  const [run, setRun] = useState<string | null>(null);
  if (!people.length)
    return <p className="soft">No area chairs yet. Assign papers to them below.</p>;
  const finished = runs.filter((each) => each.status === "done");
  const previewed =
    finished.find((each) => each.id === run) ?? finished.find((each) => each.shared) ?? finished[0];
  const words = text.toLowerCase();
  const shown = people
    .filter(({ name, email }) => `${name}\n${email ?? ""}`.toLowerCase().includes(words))
    .toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  return (
    <div className="stack tight">
      <div className="row spread">
        <TextField beside label="Find" type="search" value={text} onChange={setText} />
        {previewed && (
          <SelectField
            layout="row"
            label="Preview in"
            options={finished.map((each) => [each.id, each.name] as const)}
            value={previewed.id}
            onChange={setRun}
          />
        )}
      </div>
      <DataTable
        label="Area chairs"
        box="Table of area chairs"
        look="people row-blocks"
        rows={shown}
        keyOf={(person) => person.id}
        columns={[
          { head: "Name", cell: ({ name }) => name, names: true, look: "person" },
          { head: "E-mail", cell: ({ email }) => email ?? "–", onWide: true, look: "soft" },
          { head: "Papers", cell: ({ papers }) => papers, number: true },
          { head: "Links", cell: ({ links, name }) => <LinkList links={links} whose={name} /> },
        ]}
        actions={(person) => (
          <>
            <Button
              disabled={busy}
              onClick={() => onMake(person)}
              aria-label={`Make link for ${person.name}`}
            >
              Make link
            </Button>{" "}
            {previewed && (
              <Link
                to={`/r/${previewed.id}?as=${person.id}`}
                className="button quiet"
                aria-label={`Preview as ${person.name}`}
              >
                Preview
              </Link>
            )}
          </>
        )}
      />
      {!shown.length && <p className="soft waiting">No area chair has that name.</p>}
    </div>
  );
}

async function makeLinks(
  conference: string,
  days: number | null,
  { recipients, existing }: LinksRequest,
) {
  if ("people" in recipients && recipients.all)
    return post("/api/conferences/{conference}/links/all", { conference }, { days, existing });
  const whom =
    "chair" in recipients
      ? { area_chair: null, label: recipients.chair }
      : { area_chair: recipients.people[0]?.id ?? null, label: "" };
  const rule = existing === "skip" ? "refuse" : existing; // nobody else to make one for
  const body = { ...whom, days, existing: rule };
  return [await post("/api/conferences/{conference}/links", { conference }, body)];
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
