// The first page: every conference, and making a new one.
import { useEffect } from "react";

import type { Schemas } from "../../api/client";
import { ScrollBox } from "../../components/ScrollBox";
import { Shell } from "../../app/Shell";
import { TableHead } from "../../components/TableHead";
import { Waiting } from "../../components/Waiting";
import { useRoute } from "../../app/route";
import { useMe } from "../../app/session";
import { useAnswer } from "../../app/useAnswer";
import { ConferenceRow } from "./ConferenceRow";
import { NewConference } from "./NewConference";
import { AccountMenu } from "../../app/AccountMenu";

export function ConferencesPage() {
  const me = useMe();
  const { go } = useRoute();
  const list = useAnswer<Schemas["ConferenceSummary"][]>("conferences");
  const only = me.role === "area_chair" ? (me.conference ?? list.data?.[0]?.id) : undefined;
  useEffect(() => {
    if (only) go(`/c/${only}/runs`, true);
  }, [go, only]);
  return (
    <Shell title="Conferences" who={<AccountMenu />}>
      <div className="stack">
        {!list.data && <Waiting problem={list.problem} again={list.again} />}
        {list.data?.length === 0 && (
          <p className="soft">
            No conference yet. Make one, then bring in the reviews and rankings that your system
            exports.
          </p>
        )}
        {list.data && list.data.length > 0 && (
          <ScrollBox label="Conferences" className="card flush">
            <table className="plain conferences" aria-label="Conferences">
              <TableHead
                columns={[
                  "Name",
                  { text: "Runs", className: "number" },
                  "Created",
                  { text: "Actions", hidden: true },
                ]}
              />
              <tbody>
                {list.data.map((conference) => (
                  <ConferenceRow key={conference.id} conference={conference} changed={list.again} />
                ))}
              </tbody>
            </table>
          </ScrollBox>
        )}
        {me.role === "chair" && list.data && <NewConference />}
      </div>
    </Shell>
  );
}
