// The start page: every conference, and the form for a new one.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { Form, TextField } from "../../components/fields";
import { Button } from "../../components/buttons";
import { AccountMenu, isOwner, useMe } from "../../app/session";
import { conferencesQuery, useChange } from "../../app/queries";
import { Link, useRoute } from "../../app/route";
import { Shell } from "../../app/Shell";
import { ScrollBox } from "../../components/ScrollBox";
import { TableHead, Time } from "../../components/tables";
import { QueryStatus, ErrorNotice } from "../../components/Notice";
import { api, bodyOf } from "../../api/client";
import type { ConferenceSummary } from "../../api/types";
import { Confirm } from "../../components/Dialog";
import { RenameConference } from "./ConferenceFrame";

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
        <QueryStatus query={query} />
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

/** The form for a new conference; it opens the import page. */
function NewConference() {
  const [name, setName] = useState("");
  const { go } = useRoute();
  const making = useChange(() =>
    bodyOf(api.POST("/api/conferences", { body: { name: name.trim() } })),
  );
  return (
    <Form
      className="stack tight"
      onSubmit={() => {
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
        <Button type="submit" look="primary" disabled={making.isPending}>
          New conference
        </Button>
      </div>
      <ErrorNotice error={making.error} />
    </Form>
  );
}

/** One conference of the list. */
function ConferenceRow({
  conference: { id, name, runs, created },
}: {
  conference: ConferenceSummary;
}) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const deleting = useChange(() =>
    api.DELETE("/api/conferences/{conference}", { params: { path: { conference: id } } }),
  );
  return (
    <tr>
      <td>
        <Link to={runs ? `/c/${id}/runs` : `/c/${id}`} className="strong">
          {name}
        </Link>
      </td>
      <td className="number">{runs}</td>
      <td>
        <Time at={created} day />
      </td>
      <td className="actions">
        <RenameConference id={id} name={name} />
        <Button look="quiet danger" onClick={() => setOpen(true)} aria-label={`Delete ${name}`}>
          Delete
        </Button>
        {open && (
          <Confirm
            title={`Delete ${name}?`}
            action="Delete for good"
            busy={deleting.isPending}
            error={deleting.error}
            onClose={close}
            onConfirm={() => deleting.mutate(undefined, { onSuccess: close })}
          >
            Its files, all {runs} runs with their results, and every link are deleted too. This
            cannot be undone.
          </Confirm>
        )}
      </td>
    </tr>
  );
}
