// The server, for its owner: links that open every conference, and the log, of a conference as well.
import type { UseQueryResult } from "@tanstack/react-query";

import { post } from "../../api/client";
import { AccountMenu } from "../../app/session";
import { useChange, useGet } from "../../app/queries";
import { Shell } from "../../app/Shell";
import { ErrorNotice, QueryStatus } from "../../components/Notice";
import { ChairLinks } from "./LinkList";
import { NewLinks } from "./NewLinks";
import { Card } from "../../components/Card";
import { Button } from "../../components/buttons";
import type { LogEntry } from "../../api/schema";
import { DataTable } from "../../components/DataTable";
import { Time } from "../../components/tables";
import "./access.css";

const DAYS = 30;

export function ServerPage() {
  const access = useGet("/api/server/access", {});
  const log = useGet("/api/server/log", {});
  const making = useChange(async (label: string) => [
    await post("/api/server/links", {}, { label, days: DAYS }),
  ]);
  return (
    <Shell title="Server" account={<AccountMenu />}>
      <div className="stack">
        <QueryStatus query={access} />
        {access.data && (
          <ChairLinks
            title="Links for owners"
            hint={`Anybody with such a link opens every conference of this server. A new one works for
              ${DAYS} days. Each start of the server prints one and ends the one printed before. Chairs
              of one conference get theirs on its Access page.`}
            whose="owners"
            links={access.data.links}
            busy={making.isPending}
            onMake={(name) => making.mutate(name)}
          />
        )}
        <ErrorNotice error={making.error} />
        <AccessLog log={log} />
        {making.data && <NewLinks links={making.data} warnings={[]} onClose={making.reset} />}
      </div>
    </Shell>
  );
}

export function AccessLog({ log }: { log: UseQueryResult<LogEntry[]> }) {
  const entries = log.data ?? [];
  return (
    <Card
      title="Log"
      beside={
        <Button look="quiet" onClick={() => log.refetch()}>
          Refresh
        </Button>
      }
    >
      <QueryStatus query={log} />
      {log.data?.length === 0 && <p className="soft">Nothing yet.</p>}
      {entries.length > 0 && (
        <DataTable
          label="Log"
          box="Log entries"
          look="framed"
          most={50}
          rows={entries}
          keyOf={(_, index) => index}
          columns={[
            { head: "When", cell: ({ when }) => <Time at={when} />, look: "soft nowrap" },
            { head: "Who", cell: ({ who }) => who },
            { head: "Did", cell: ({ action }) => action, look: "nowrap" },
            { head: "What", cell: ({ detail }) => detail },
          ]}
        />
      )}
    </Card>
  );
}
