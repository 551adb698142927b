// Somebody's links: those that open something, and behind a disclosure those that no longer do.
import { useState } from "react";

import { LinkRow } from "./LinkRow";
import { sorted, stateOf, type Link } from "./links";

interface Props {
  links: Link[];
  whose: string;
  changed(): void;
}

/** Made anew when an end changes: which links are open depends on the moment. */
export function LinkList(props: Props) {
  const ends = props.links.map(({ expires, revoked }) => `${expires} ${revoked}`);
  return <LinksAtThisMoment key={ends.join()} {...props} />;
}

function LinksAtThisMoment({ links, whose, changed }: Props) {
  const [now] = useState(() => Date.now());
  const all = sorted(links, now);
  const open = all.filter((link) => stateOf(link, now) === "open");
  const shut = all.slice(open.length);
  const line = (link: Link) => (
    <LinkRow key={link.id} link={link} state={stateOf(link, now)} whose={whose} changed={changed} />
  );
  if (!all.length) return <span className="soft">none</span>;
  return (
    <div className="links">
      {open.length > 0 && <ul>{open.map(line)}</ul>}
      {shut.length > 0 && (
        <details>
          <summary className="soft">
            {shut.length} that no longer {shut.length === 1 ? "opens" : "open"}
          </summary>
          <ul>{shut.map(line)}</ul>
        </details>
      )}
    </div>
  );
}
