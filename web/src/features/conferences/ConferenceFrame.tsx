// What the pages of one conference share: its name, the tabs, and the conference itself.
import { useState, type ComponentType } from "react";

import type { Schemas } from "../../api/client";
import { Shell } from "../../app/Shell";
import { Waiting } from "../../components/Waiting";
import { useMe } from "../../app/session";
import { useAnswer } from "../../app/useAnswer";
import { MissingPage } from "../../app/MissingPage";
import { AccountMenu } from "../../app/AccountMenu";

export type Conference = Schemas["Conference"];

export interface ConferencePageProps {
  conference: Conference;
  again(): void; // ask the server for the conference anew
}

export function ConferenceFrame({
  id,
  title,
  page: Page,
  wide = false,
}: {
  id: string;
  title: string;
  page: ComponentType<ConferencePageProps>;
  wide?: boolean;
}) {
  const me = useMe();
  const { data, problem, again } = useAnswer<Conference>(
    `conferences/${encodeURIComponent(id)}`,
    title,
  );
  const [name, setName] = useState(""); // stays while the next page asks anew
  if (data && data.name !== name) setName(data.name);
  const home = `/c/${encodeURIComponent(id)}`;
  const tab = (to: string, text: string, current = text === title) => ({ to, text, current });
  const tabs = [
    tab(home, "Import"),
    tab(`${home}/runs`, "Runs", title === "Runs" || title === "Compare runs"),
    tab(`${home}/access`, "Access"),
  ];
  if (problem && (problem.status === 404 || problem.status === 422)) return <MissingPage />;
  return (
    <Shell
      title={title}
      crumbs={name ? [{ to: me.role === "chair" ? home : `${home}/runs`, text: name }] : []}
      tabs={me.role === "chair" ? tabs : []}
      who={<AccountMenu />}
      wide={wide}
    >
      {data ? (
        <Page conference={data} again={again} />
      ) : (
        <Waiting problem={problem} again={again} />
      )}
    </Shell>
  );
}
