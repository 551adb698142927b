// The links of a person: open ones, and folded away those that expired or were revoked.
import { useState } from "react";

import type { AccessLink } from "../../api/types";
import { LinkRow } from "./LinkRow";
import { sortedLinks, stateOf } from "./links";

interface Props {
  links: AccessLink[];
  whose: string;
}

/** Remounted when an expiry changes, since which links are open depends on the current time. */
export function LinkList(props: Props) {
  const ends = props.links.map(({ expires, revoked }) => `${expires} ${revoked}`);
  return <CurrentLinks key={ends.join()} {...props} />;
}

function CurrentLinks({ links, whose }: Props) {
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
      {open.length > 0 && <ul>{open.map(line)}</ul>}
      {closed.length > 0 && (
        <details>
          <summary className="soft">{closed.length} expired or revoked</summary>
          <ul>{closed.map(line)}</ul>
        </details>
      )}
    </div>
  );
}
