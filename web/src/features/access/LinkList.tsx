// Links of people: open ones, folded away those that expired or were revoked, and a table of new ones to send out.
import { useState } from "react";

import { Form, TextField } from "../../components/fields";
import { Button } from "../../components/buttons";
import type { Link, AreaChairDetail, CreatedLink } from "../../api/schema";
import { post } from "../../api/client";
import { useChange } from "../../app/queries";
import { ConfirmButton } from "../../components/Dialog";
import { Time } from "../../components/tables";
import { Card } from "../../components/Card";
import { csvOf } from "../../domain/exportTable";

export function LinkList({ links, whose }: { links: Link[]; whose: string }) {
  const [now] = useState(() => Date.now());
  const all = sortedLinks(links, now);
  const open = all.filter((link) => stateOf(link, now) === "open");
  const closed = all.slice(open.length);
  const line = (link: Link) => (
    <LinkRow key={link.id} link={link} state={stateOf(link, now)} whose={whose} />
  );
  if (!all.length) return <span className="soft">none</span>;
  return (
    <div className="links">
      {open.length ? (
        <ul className="bare">{open.map(line)}</ul>
      ) : (
        <span className="soft">none active</span>
      )}
      {closed.length > 0 && (
        <details>
          <summary className="soft">
            {closed.length} old<span className="visually-hidden">, expired or revoked</span>
          </summary>
          <ul className="bare">{closed.map(line)}</ul>
        </details>
      )}
    </div>
  );
}

/** One link: its state, when it expires, when it was last opened, and the button that revokes it. */
function LinkRow({ link, state, whose }: { link: Link; state: LinkState; whose: string }) {
  const revoking = useChange(() => post("/api/links/{link}/revoke", { link: link.id }));
  return (
    <li className="row link-row">
      <span className={state === "open" ? "badge good" : "badge"}>{STATE_NAMES[state]}</span>
      {link.label && <span>{link.label}</span>}
      <span className="soft">
        <Expiry link={link} state={state} />
        {" · "}
        {link.opened ? (
          <>
            last used <Time at={link.opened} day />
          </>
        ) : (
          "not used yet"
        )}
      </span>
      {!link.revoked && (
        <ConfirmButton
          text="Revoke"
          label={`Revoke a link of ${whose}`}
          title={`Revoke this link of ${whose}?`}
          action="Revoke the link"
          changing={revoking}
          input={undefined}
        >
          It stops working at once, also where it is open now. You can make a new one at any time.
        </ConfirmButton>
      )}
    </li>
  );
}

function Expiry({ link, state }: { link: Link; state: LinkState }) {
  const at = link.revoked ?? link.expires;
  if (!at) return "never expires";
  const words = { open: "expires", expired: "expired", revoked: "revoked" };
  return (
    <>
      {words[state]} <Time at={at} day />
    </>
  );
}

/** Links under people's names: for chairs of a conference, or for owners of the server. */
export function ChairLinks({
  title,
  hint,
  whose,
  links,
  busy,
  onMake,
}: {
  title: string;
  hint: string;
  whose: string;
  links: Link[];
  busy: boolean;
  onMake(label: string): void;
}) {
  const [label, setLabel] = useState("");
  return (
    <Card title={title}>
      <p className="hint">{hint}</p>
      <LinkList links={links} whose={whose} />
      <Form
        className="row end"
        onSubmit={() => {
          onMake(label.trim());
          setLabel("");
        }}
      >
        <TextField label="For whom" required maxLength={200} value={label} onChange={setLabel} />
        <Button type="submit" disabled={busy || !label.trim()}>
          Make link
        </Button>
      </Form>
    </Card>
  );
}

export type LinkState = "open" | "expired" | "revoked";

export const STATE_NAMES: Record<LinkState, string> = {
  open: "Active",
  expired: "Expired",
  revoked: "Revoked",
};

export function stateOf(link: Link, now: number): LinkState {
  if (link.revoked) return "revoked";
  return link.expires && Date.parse(link.expires) <= now ? "expired" : "open";
}

/** Open links first, then the newest. */
export function sortedLinks(links: Link[], now: number): Link[] {
  const closed = (link: Link) => Number(stateOf(link, now) !== "open");
  return links.toSorted((a, b) => closed(a) - closed(b) || b.created.localeCompare(a.created));
}

/** A new link, as far as it is shown and written to a table. */
export type ShownLink = Pick<CreatedLink, "id" | "name" | "email" | "expires" | "url">;

export function linksAsCsv(links: ShownLink[]): string {
  const columns = [
    { name: "area_chair", cell: (row: number) => links[row]?.name ?? null },
    { name: "email", cell: (row: number) => links[row]?.email ?? null },
    { name: "expires", cell: (row: number) => momentText(links[row]?.expires ?? null) },
    { name: "link", cell: (row: number) => links[row]?.url ?? null },
  ];
  return csvOf(
    columns,
    links.map((_, row) => row),
  );
}

/** A moment for a letter to people in many time zones: "2026-06-01 22:59 UTC", or empty. */
function momentText(moment: string | null): string | null {
  return moment && `${new Date(moment).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** How many of these people have a link that works. */
export function withOpenLink(people: AreaChairDetail[], now: number): number {
  return people.filter(({ links }) => links.some((link) => stateOf(link, now) === "open")).length;
}

/** The days typed in: null for a link that never expires, undefined for what is no valid number. */
export function daysIn(text: string): number | null | undefined {
  if (!text.trim()) return null;
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= 3650 ? days : undefined;
}
