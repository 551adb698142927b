// The frame of a conference's pages: its name, the tabs, and loading the conference.
import { useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";

import { hasStatus } from "../../api/errors";
import type { Conference } from "../../api/types";
import { AccountMenu, MissingPage, useMe } from "../../app/session";
import { conferenceQuery, useChange } from "../../app/queries";
import { Shell } from "../../app/Shell";
import { Waiting } from "../../components/Waiting";
import { api } from "../../api/client";
import { RenameButton } from "../../components/Dialog";

export function ConferenceFrame({
  id,
  title,
  page: Page,
  wide = false,
}: {
  id: string;
  title: string;
  page: ComponentType<{ conference: Conference }>;
  wide?: boolean;
}) {
  const me = useMe();
  const query = useQuery(conferenceQuery(id));
  const home = `/c/${encodeURIComponent(id)}`;
  const tab = (to: string, text: string, current = text === title) => ({ to, text, current });
  const tabs = [
    tab(home, "Import"),
    tab(`${home}/runs`, "Runs", title === "Runs" || title === "Compare runs"),
    tab(`${home}/ballots`, "Ballots"),
    tab(`${home}/access`, "Access"),
  ];
  const chair = me.role === "chair";
  if (hasStatus(query.error, 404, 422)) return <MissingPage />;
  return (
    <Shell
      title={title}
      crumbs={query.data ? [{ to: chair ? home : `${home}/runs`, text: query.data.name }] : []}
      beside={chair && query.data && <RenameConference id={id} name={query.data.name} />}
      tabs={chair ? tabs : []}
      account={<AccountMenu />}
      wide={wide}
    >
      <Waiting query={query} />
      {query.data && <Page conference={query.data} />}
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
