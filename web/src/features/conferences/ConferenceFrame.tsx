// The frame of a conference's pages: its name, the tabs, and loading the conference.
import { useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";

import { hasStatus } from "../../api/errors";
import type { Conference } from "../../api/types";
import { AccountMenu, MissingPage, useMe } from "../../app/session";
import { conferenceQuery, useChange } from "../../app/queries";
import { Shell } from "../../app/Shell";
import { QueryStatus } from "../../components/Notice";
import { api } from "../../api/client";
import { RenameButton } from "../../components/Dialog";

export interface ConferencePage {
  path: string; // in the address, after the conference's id
  title: string;
  page: ComponentType<{ conference: Conference }>;
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
  const query = useQuery(conferenceQuery(id));
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
      wide={page.wide ?? false}
    >
      <QueryStatus query={query} />
      {query.data && <page.page conference={query.data} />}
    </Shell>
  );
}

/** The button that renames a conference. */
export function RenameConference({ id, name }: { id: string; name: string }) {
  const renaming = useChange((changed: string) =>
    api.PATCH("/api/conferences/{conference}", {
      params: { path: { conference: id } },
      body: { name: changed },
    }),
  );
  return <RenameButton what="conference" name={name} look="quiet" renaming={renaming} />;
}
