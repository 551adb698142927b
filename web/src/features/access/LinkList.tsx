// Links of people: open ones, and folded away those that expired or were revoked.
import { useState } from "react";

import { Form, TextField } from "../../components/fields";
import { Button } from "../../components/buttons";
import type { AccessLink } from "../../api/types";
import { sortedLinks, stateOf, STATE_NAMES, type LinkState } from "./links";
import { api } from "../../api/client";
import { useChange } from "../../app/queries";
import { ConfirmButton } from "../../components/Dialog";
import { Time } from "../../components/tables";
import { Card } from "../../components/Card";

export function LinkList({ links, whose }: { links: AccessLink[]; whose: string }) {
  const [now] = useState(() => Date.now());
  const all = sortedLinks(links, now);
  const open = all.filter((link) => stateOf(link, now) === "open");
  const closed = all.slice(open.length);
  const line = (link: AccessLink) => (
    <LinkRow key={link.id} link={link} state={stateOf(link, now)} whose={whose} />
  );
  if (!all.length) return <span className="soft">none</span>;
  return (
    <div className="links">
      {open.length ? <ul>{open.map(line)}</ul> : <span className="soft">none active</span>}
      {closed.length > 0 && (
        <details>
          <summary className="soft">
            {closed.length} old<span className="visually-hidden">, expired or revoked</span>
          </summary>
          <ul>{closed.map(line)}</ul>
        </details>
      )}
    </div>
  );
}

/** One link: its state, when it expires, when it was last opened, and the button that revokes it. */
function LinkRow({ link, state, whose }: { link: AccessLink; state: LinkState; whose: string }) {
  const revoking = useChange(() =>
    api.POST("/api/links/{link}/revoke", { params: { path: { link: link.id } } }),
  );
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
          onConfirm={(close) => revoking.mutate(undefined, { onSuccess: close })}
        >
          It stops working at once, also where it is open now. You can make a new one at any time.
        </ConfirmButton>
      )}
    </li>
  );
}

function Expiry({ link, state }: { link: AccessLink; state: LinkState }) {
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
  links: AccessLink[];
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
