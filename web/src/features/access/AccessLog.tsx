// The log of the conference or of the server, newest entries first.
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

import { Card } from "../../components/Card";
import { Button } from "../../components/buttons";
import type { LogEntry } from "../../api/types";
import { BoxTable, Time } from "../../components/tables";
import { QueryStatus } from "../../components/Notice";
import { count } from "../../domain/format";

const AT_FIRST = 50;

export function AccessLog({ log }: { log: UseQueryResult<LogEntry[]> }) {
  const [all, setAll] = useState(false);
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
        <BoxTable
          label="Log"
          box="Log entries"
          look="framed"
          columns={["When", "Who", "Did", "What"]}
        >
          {entries.slice(0, all ? undefined : AT_FIRST).map((entry, index) => (
            <tr key={index}>
              <td className="soft nowrap">
                <Time at={entry.when} />
              </td>
              <td>{entry.who}</td>
              <td className="nowrap">{entry.action}</td>
              <td>{entry.detail}</td>
            </tr>
          ))}
        </BoxTable>
      )}
      {!all && entries.length > AT_FIRST && (
        <div>
          <Button onClick={() => setAll(true)}>Show all {count(entries.length)}</Button>
        </div>
      )}
    </Card>
  );
}
