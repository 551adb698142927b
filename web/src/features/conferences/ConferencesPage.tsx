// The start page: every conference, and the form for a new one.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { Form, TextField } from "../../components/fields";
import { Button } from "../../components/buttons";
import { AccountMenu, isOwner, useMe } from "../../app/session";
import { binQuery, conferenceQuery, conferencesQuery, useChange } from "../../app/queries";
import { Link, useRoute } from "../../app/route";
import { Shell } from "../../app/Shell";
import { ScrollBox } from "../../components/ScrollBox";
import { BoxTable, TableHead, Time } from "../../components/tables";
import { QueryStatus, ErrorNotice } from "../../components/Notice";
import { api, bodyOf } from "../../api/client";
import type { Conference, ConferenceSummary, DeletedConference } from "../../api/types";
import { Card } from "../../components/Card";
import { Confirm } from "../../components/Dialog";
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

/** One conference of the list. */
function ConferenceRow({
  conference: { id, name, runs, created },
}: {
  conference: ConferenceSummary;
}) {
  const [open, setOpen] = useState(false);
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
        {open && <DeleteConference id={id} name={name} onClose={() => setOpen(false)} />}
      </td>
    </tr>
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
  const [last, setLast] = useState<DeletedConference | null>(null); // to be deleted for good
  const params = (deleted: string) => ({ params: { path: { deleted } } });
  const restoring = useChange((id: string) => api.POST("/api/bin/{deleted}/restore", params(id)));
  const deleting = useChange((id: string) => api.DELETE("/api/bin/{deleted}", params(id)));
  if (!data?.length) return null;
  const close = () => setLast(null);
  return (
    <Card title="Deleted conferences" look="tight">
      <ErrorNotice error={restoring.error} />
      <BoxTable
        label="Deleted conferences"
        look="row-blocks"
        columns={[
          "Name",
          { text: "Deleted", className: "on-wide" },
          "Gone for good on",
          { text: "Actions", hidden: true },
        ]}
      >
        {data.map((one) => (
          <tr key={one.id}>
            <td>{one.name}</td>
            <td className="on-wide">
              <Time at={one.deleted} day /> by {one.who}
            </td>
            <td data-label="Gone for good on">
              <Time at={one.goes} day />
            </td>
            <td className="actions">
              <Button
                aria-label={`Restore ${one.name}`}
                disabled={restoring.isPending}
                onClick={() => restoring.mutate(one.id)}
              >
                Restore
              </Button>
              <Button
                look="quiet danger"
                aria-label={`Delete ${one.name} for good`}
                onClick={() => setLast(one)}
              >
                Delete for good
              </Button>
            </td>
          </tr>
        ))}
      </BoxTable>
      {last && (
        <Confirm
          title={`Delete ${last.name} for good?`}
          action="Delete for good"
          busy={deleting.isPending}
          error={deleting.error}
          onClose={close}
          onConfirm={() => deleting.mutate(last.id, { onSuccess: close })}
        >
          Nothing of it can be restored afterwards, except from a backup.
        </Confirm>
      )}
    </Card>
  );
}
