// The start page: every conference, and the form for a new one.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { AccountMenu } from "../../app/AccountMenu";
import { conferencesQuery, useChange } from "../../app/queries";
import { Link, useRoute } from "../../app/route";
import { isOwner, useMe } from "../../app/session";
import { Shell } from "../../app/Shell";
import { ScrollBox } from "../../components/ScrollBox";
import { TableHead } from "../../components/PlainTable";
import { Waiting } from "../../components/Waiting";
import { ConferenceRow } from "./ConferenceRow";
import { api, bodyOf } from "../../api/client";
import { ErrorNotice } from "../../components/Notice";
import { TextField } from "../../components/TextField";

export function ConferencesPage() {
  const me = useMe();
  const { go } = useRoute();
  const query = useQuery(conferencesQuery);
  const conferences = query.data;
  const own = me.conference && `/c/${me.conference}${me.role === "chair" ? "" : "/runs"}`;
  useEffect(() => {
    if (own) go(own, true);
  }, [go, own]);
  return (
    <Shell title="Conferences" account={<AccountMenu />}>
      <div className="stack">
        <Waiting query={query} />
        {conferences?.length === 0 && (
          <p className="soft">
            No conference yet. Make one, then upload the reviews and rankings that your system
            exports.
          </p>
        )}
        {conferences && conferences.length > 0 && (
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
                {conferences.map((conference) => (
                  <ConferenceRow key={conference.id} conference={conference} />
                ))}
              </tbody>
            </table>
          </ScrollBox>
        )}
        {isOwner(me) && conferences && <NewConference />}
        {isOwner(me) && (
          <p>
            <Link to="/server">Links and log of the server</Link>
          </p>
        )}
      </div>
    </Shell>
  );
}

/** The form that makes a conference and opens its import page. */
function NewConference() {
  const [name, setName] = useState("");
  const { go } = useRoute();
  const making = useChange(() =>
    bodyOf(api.POST("/api/conferences", { body: { name: name.trim() } })),
  );
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) making.mutate(undefined, { onSuccess: ({ id }) => go(`/c/${id}`) });
      }}
    >
      <div className="row end">
        <TextField
          label="Name of the conference"
          look="name"
          required
          maxLength={200}
          value={name}
          onChange={setName}
        />
        <button type="submit" className="button primary" disabled={making.isPending}>
          New conference
        </button>
      </div>
      <ErrorNotice error={making.error} />
    </form>
  );
}
