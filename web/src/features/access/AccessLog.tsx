// The log of the conference or of the server, newest entries first.
import type { UseQueryResult } from "@tanstack/react-query";

import { Card } from "../../components/Card";
import { Button } from "../../components/buttons";
import type { LogEntry } from "../../api/schema";
import { DataTable } from "../../components/DataTable";
import { Time } from "../../components/tables";
import { QueryStatus } from "../../components/Notice";

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
