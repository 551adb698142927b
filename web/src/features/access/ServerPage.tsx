// The server, for its owner: links that open every conference, and what concerns none of them.
import { post } from "../../api/client";
import { AccountMenu } from "../../app/session";
import { useChange, useGet } from "../../app/queries";
import { Shell } from "../../app/Shell";
import { ErrorNotice, QueryStatus } from "../../components/Notice";
import { AccessLog } from "./AccessLog";
import { ChairLinks } from "./LinkList";
import { NewLinks } from "./NewLinks";
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
