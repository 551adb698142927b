// The start page: every conference, and the form for a new one.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { Form, TextField } from "../../components/fields";
import { Button } from "../../components/buttons";
import { AccountMenu, isOwner, useMe } from "../../app/session";
import { binQuery, conferenceQuery, conferencesQuery, useChange } from "../../app/queries";
import { Link, useRoute } from "../../app/route";
import { Shell } from "../../app/Shell";
import { DataTable } from "../../components/DataTable";
import { Time } from "../../components/tables";
import { QueryStatus, ErrorNotice } from "../../components/Notice";
import { api, bodyOf } from "../../api/client";
import type { Conference, ConferenceSummary } from "../../api/types";
import { Card } from "../../components/Card";
import { Confirm, ConfirmButton } from "../../components/Dialog";
import { counted } from "../../domain/format";
import { listed } from "../../domain/sentences";
import { RenameConference } from "./ConferenceFrame";

export function ConferencesPage() {
  const me = useMe();
  const { go } = useRoute();
  const query = useQuery(conferencesQuery);
  const conferences = query.data;
  const chair = me.role === "chair";
  const shared = useQuery({
    ...conferenceQuery(me.conference ?? ""),
    enabled: !chair && Boolean(me.conference),
  });
  const home = me.conference && (chair ? `/c/${me.conference}` : papersOf(shared.data));
  useEffect(() => {
    if (home) go(home, true);
  }, [go, home]);
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
          <DataTable
            label="Conferences"
            look="card flush conferences"
            rows={conferences}
            keyOf={({ id }) => id}
            columns={[
              {
                head: "Name",
                cell: ({ id, name, runs }) => (
                  <Link to={runs ? `/c/${id}/runs` : `/c/${id}`} className="strong">
                    {name}
                  </Link>
                ),
              },
              { head: "Runs", cell: ({ runs }) => runs, number: true },
              { head: "Created", cell: ({ created }) => <Time at={created} day /> },
            ]}
            actions={(conference) => <ConferenceActions conference={conference} />}
          />
        )}
        {isOwner(me) && conferences && <NewConference />}
        {isOwner(me) && <Bin />}
        {isOwner(me) && (
          <p>
            <Link to="/server">Links and log of the server</Link>
          </p>
        )}
      </div>
    </Shell>
  );
}

/** Where an area chair lands: on their papers in the newest run, or on the page that says there is none. */
function papersOf(conference: Conference | undefined): string | null {
  const newest = conference?.runs.toSorted((a, b) => b.created.localeCompare(a.created))[0];
  return conference ? (newest ? `/r/${newest.id}` : `/c/${conference.id}/runs`) : null;
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

function ConferenceActions({ conference: { id, name } }: { conference: ConferenceSummary }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <RenameConference id={id} name={name} />
      <Button look="quiet danger" onClick={() => setOpen(true)} aria-label={`Delete ${name}`}>
        Delete
      </Button>
      {open && <DeleteConference id={id} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The question before a conference goes into the bin: it names what goes with it. */
function DeleteConference({ id, name, onClose }: { id: string; name: string; onClose(): void }) {
  const path = { conference: id };
  const deleting = useChange(() =>
    api.DELETE("/api/conferences/{conference}", { params: { path } }),
  );
  const contents = useQuery({
    queryKey: ["conferences", id, "contents"],
    queryFn: () => bodyOf(api.GET("/api/conferences/{conference}/contents", { params: { path } })),
    enabled: deleting.isIdle, // not of one that is gone
  });
  const parts = Object.entries(contents.data ?? {})
    .filter(([, many]) => many > 0)
    .map(([what, many]) => counted(many, what.slice(0, -1)));
  return (
    <Confirm
      title={`Delete ${name}?`}
      action="Delete"
      busy={deleting.isPending || contents.isPending}
      error={deleting.error ?? contents.error}
      onClose={onClose}
      onConfirm={() => deleting.mutate(undefined, { onSuccess: onClose })}
    >
      {parts.length > 0 && `With it go ${listed(parts, " and ")}. `}
      Its links stop working at once. For 30 days the owner of this server can restore it.
    </Confirm>
  );
}

/** Deleted conferences, until they are deleted for good. */
function Bin() {
  const { data } = useQuery(binQuery);
  const params = (deleted: string) => ({ params: { path: { deleted } } });
  const restoring = useChange((id: string) => api.POST("/api/bin/{deleted}/restore", params(id)));
  const deleting = useChange((id: string) => api.DELETE("/api/bin/{deleted}", params(id)));
  if (!data?.length) return null;
  return (
    <Card title="Deleted conferences" look="tight">
      <ErrorNotice error={restoring.error} />
      <DataTable
        label="Deleted conferences"
        look="row-blocks"
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          { head: "Name", cell: ({ name }) => name },
          {
            head: "Deleted",
            cell: ({ deleted, who }) => (
              <>
                <Time at={deleted} day /> by {who}
              </>
            ),
            onWide: true,
          },
          { head: "Gone for good on", cell: ({ goes }) => <Time at={goes} day />, named: true },
        ]}
        actions={(one) => (
          <>
            <Button
              aria-label={`Restore ${one.name}`}
              disabled={restoring.isPending}
              onClick={() => restoring.mutate(one.id)}
            >
              Restore
            </Button>
            <ConfirmButton
              text="Delete for good"
              label={`Delete ${one.name} for good`}
              title={`Delete ${one.name} for good?`}
              action="Delete for good"
              changing={deleting}
              onConfirm={(close) => deleting.mutate(one.id, { onSuccess: close })}
            >
              Nothing of it can be restored afterwards, except from a backup.
            </ConfirmButton>
          </>
        )}
      />
    </Card>
  );
}
