// Fetches reviews and rankings from a running conference system.
import { useState } from "react";

import { post } from "../../api/client";
import type { ConferenceDetail, FileInfo, SystemAccess } from "../../api/schema";
import { useChange } from "../../app/queries";
import { Button } from "../../components/buttons";
import { SegmentedControl } from "../../components/choices";
import { Form } from "../../components/fields";
import { ErrorNotice } from "../../components/Notice";
import { LIVE_SYSTEMS, optionsIn } from "../../domain/glossary";
import { SystemFields, trimmed } from "../../components/SystemFields";

const SYSTEMS = optionsIn(LIVE_SYSTEMS);
const NAMES = SYSTEMS.map(([, title]) => title).join(" or ");

export function FetchFiles({
  conference: { id, system_hosts: hosts },
  onFetched,
}: {
  conference: ConferenceDetail;
  onFetched(earlier: FileInfo[]): void; // files that the new ones replace
}) {
  const [access, setAccess] = useState<SystemAccess>({ system: "hotcrp", url: "", token: "" });
  const fetching = useChange((wanted: SystemAccess) =>
    post("/api/conferences/{conference}/fetch", { conference: id }, wanted),
  );
  const fetched = fetching.data;
  return (
    <details>
      <summary>Or fetch them from a running {NAMES}</summary>
      {hosts.length === 0 ? (
        <p className="hint">
          This server contacts no other. Whoever runs it can allow the host of your conference:{" "}
          <code>unround serve --system-host HOST</code>
        </p>
      ) : (
        <Form
          aria-label={`Fetch from ${NAMES}`}
          onSubmit={() =>
            fetching.mutate(trimmed(access), {
              onSuccess: ({ earlier }) => {
                setAccess({ ...access, token: "" });
                onFetched(earlier);
              },
            })
          }
        >
          <div className="row">
            <SegmentedControl
              label="System"
              options={SYSTEMS}
              value={access.system}
              onChange={(system) => setAccess({ ...access, system })}
            />
          </div>
          <SystemFields access={access} onChange={setAccess} />
          <p className="hint">This server may contact {hosts.join(", ")}.</p>
          <div className="row">
            <Button type="submit" disabled={fetching.isPending}>
              {fetching.isPending ? "Fetching" : "Fetch"}
            </Button>
          </div>
          <div role="status" className="soft">
            {fetched &&
              [
                `Fetched ${fetched.files.map((file) => file.name).join(", ")}`,
                ...(fetched.earlier.length ? ["the earlier copies are no longer used"] : []),
                ...fetched.notes,
              ].join("; ")}
          </div>
          <ErrorNotice error={fetching.error} />
        </Form>
      )}
    </details>
  );
}
