// The frame of a conference's pages: its name, the tabs, and loading the conference.
import type { ComponentType } from "react";

import { hasStatus } from "../../api/errors";
import type { ConferenceDetail } from "../../api/schema";
import { AccountMenu, MissingPage, useMe } from "../../app/session";
import { useChange, useGet } from "../../app/queries";
import { Shell } from "../../app/Shell";
import { QueryStatus } from "../../components/Notice";
import { patch } from "../../api/client";
import { RenameButton } from "../../components/Dialog";

export interface ConferencePage {
  path: string; // in the address, after the conference's id
  title: string;
  page: ComponentType<{ conference: ConferenceDetail }>;
  forAreaChairs?: boolean; // otherwise for chairs only
  tab?: string; // the page whose tab is current, where this one has no tab of its own
  hasSubpages?: boolean; // the address may have one more part
  wide?: boolean;
}

export function ConferenceFrame({
  id,
  page,
  pages,
}: {
  id: string;
  page: ConferencePage;
  pages: ConferencePage[]; // for the tabs
}) {
  const me = useMe();
  const query = useGet("/api/conferences/{conference}", { conference: id });
  const home = `/c/${encodeURIComponent(id)}`;
  const tabs = pages
    .filter((one) => one.tab === undefined)
    .map(({ path, title }) => ({
      to: path ? `${home}/${path}` : home,
      text: title,
      current: path === (page.tab ?? page.path),
    }));
  const chair = me.role === "chair";
  if (hasStatus(query.error, 404, 422)) return <MissingPage />;
  return (
    <Shell
      title={page.title}
      crumbs={query.data ? [{ to: chair ? home : `${home}/runs`, text: query.data.name }] : []}
      beside={chair && query.data && <RenameConference id={id} name={query.data.name} />}
      tabs={chair ? tabs : []}
      account={<AccountMenu />}
      layout={page.wide ? "wide" : "page"}
    >
      <QueryStatus query={query} />
      {query.data && <page.page conference={query.data} />}
    </Shell>
  );
}

/** The button that renames a conference. */
export function RenameConference({ id, name }: { id: string; name: string }) {
  const renaming = useChange((changed: string) =>
    patch("/api/conferences/{conference}", { conference: id }, { name: changed }),
  );
  return <RenameButton what="conference" name={name} look="quiet" renaming={renaming} />;
}
