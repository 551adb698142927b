// The start page of the server's owner: every conference, and the form for a new one.
import { useState } from "react";

import { Form, TextField } from "../../components/fields";
import { Button } from "../../components/buttons";
import { AccountMenu } from "../../app/session";
import { useChange, useGet } from "../../app/queries";
import { Link, useRoute } from "../../app/route";
import { Shell } from "../../app/Shell";
import { DataTable } from "../../components/DataTable";
import { Time } from "../../components/tables";
import { QueryStatus, ErrorNotice } from "../../components/Notice";
import { post, remove } from "../../api/client";
import type { ConferenceSummary } from "../../api/schema";
import { Card } from "../../components/Card";
import { ConfirmButton } from "../../components/Dialog";
import { counted } from "../../domain/format";
import { listed } from "../../domain/sentences";
import { RenameConference } from "./ConferenceFrame";

export function ConferencesPage() {
  const query = useGet("/api/conferences", {});
  const conferences = query.data;
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
            look="card flush"
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
        {conferences && <NewConference />}
        <Bin />
        <p>
          <Link to="/server">Links and log of the server</Link>
        </p>
      </div>
    </Shell>
  );
}

/** The form for a new conference; it opens the import page. */
function NewConference() {
  const [name, setName] = useState("");
  const { go } = useRoute();
  const making = useChange(() => post("/api/conferences", {}, { name: name.trim() }));
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
  const deleting = useChange(() => remove("/api/conferences/{conference}", { conference: id }));
  return (
    <>
      <RenameConference id={id} name={name} />
      <ConfirmButton
        text="Delete"
        label={`Delete ${name}`}
        title={`Delete ${name}?`}
        action="Delete"
        changing={deleting}
        input={undefined}
      >
        <WhatGoes id={id} />
        Its links stop working at once. For 30 days the owner of this server can restore it.
      </ConfirmButton>
    </>
  );
}

/** What goes into the bin with a conference. */
function WhatGoes({ id }: { id: string }) {
  const path = "/api/conferences/{conference}/contents";
  // Not asked again: after the deletion there is no such conference.
  const { data } = useGet(path, { conference: id }, { staleTime: "static" });
  const parts = Object.entries(data ?? {})
    .filter(([, many]) => many > 0)
    .map(([what, many]) => counted(many, what.slice(0, -1)));
  return parts.length > 0 && `With it go ${listed(parts, " and ")}. `;
}

/** Deleted conferences, until they are deleted for good. */
function Bin() {
  const { data } = useGet("/api/bin", {});
  const restoring = useChange((deleted: string) => post("/api/bin/{deleted}/restore", { deleted }));
  const deleting = useChange((deleted: string) => remove("/api/bin/{deleted}", { deleted }));
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
              input={one.id}
            >
              Nothing of it can be restored afterwards, except from a backup.
            </ConfirmButton>
          </>
        )}
      />
    </Card>
  );
}
