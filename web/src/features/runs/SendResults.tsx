// Sends results to a running conference system: first what would change, then the change.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { post } from "../../api/client";
import type { SendResults, SystemAccess } from "../../api/schema";
import { Button } from "../../components/buttons";
import { Form } from "../../components/fields";
import { ErrorNotice } from "../../components/Notice";
import { LIVE_SYSTEMS } from "../../domain/glossary";
import { SystemFields, trimmed } from "../../components/SystemFields";

export function SendToSystem({
  run,
  system,
  options,
}: {
  run: string;
  system: SystemAccess["system"];
  options: Pick<SendResults, "tag" | "include" | "per_review">;
}) {
  const [access, setAccess] = useState<SystemAccess>({ system, url: "", token: "" });
  const wanted = { ...trimmed({ ...access, system }), ...options };
  const sending = useMutation({
    mutationFn: (body: SendResults) => post("/api/runs/{run}/send", { run }, body),
  });
  const { data, variables, isPending } = sending;
  // What was shown may be sent only while nothing else is chosen.
  const shown =
    data &&
    variables?.dry_run &&
    JSON.stringify({ ...wanted, dry_run: true }) === JSON.stringify(variables);
  return (
    <details>
      <summary>Or send it to a running {LIVE_SYSTEMS[system].title}</summary>
      <Form
        aria-label={`Send to ${LIVE_SYSTEMS[system].title}`}
        onSubmit={() => sending.mutate({ ...wanted, dry_run: true })}
      >
        <SystemFields access={access} onChange={setAccess} />
        <div className="row">
          <Button type="submit" disabled={isPending}>
            Show what would change
          </Button>
          <Button
            look="primary"
            disabled={isPending || !shown}
            onClick={() => sending.mutate({ ...wanted, dry_run: false })}
          >
            Send
          </Button>
        </div>
        <div role="status" className="soft">
          {isPending ? `Asking ${LIVE_SYSTEMS[system].title}` : data?.changes.join("; ")}
        </div>
        <ErrorNotice error={sending.error} />
      </Form>
    </details>
  );
}
