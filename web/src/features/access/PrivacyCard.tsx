// What area chairs could find out about papers that are not theirs, measured when a chair asks.
import { useState } from "react";

import { Card } from "../../components/Card";
import type { ConferenceDetail, PrivacySummary } from "../../api/schema";
import { useGet } from "../../app/queries";
import { Button } from "../../components/buttons";
import { QueryStatus } from "../../components/Notice";
import { DataTable } from "../../components/DataTable";
import { count, counted } from "../../domain/format";
import { DISCLOSURES } from "../../domain/glossary";

const POLL_INTERVAL = 1000; // ms, while it is being computed

/** It takes long: a button starts it, and its result appears when it is done. */
export function PrivacyCard({ conference }: { conference: ConferenceDetail }) {
  const run = newestOf(conference);
  const [asked, setAsked] = useState(false);
  const query = useGet("/api/runs/{run}/privacy", run && asked ? { run: run.id } : null, {
    refetchInterval: ({ state }) => (state.data?.audit === null ? POLL_INTERVAL : false),
    staleTime: Infinity,
  });
  const audit = query.data?.audit;
  return (
    <Card title="What area chairs could find out">
      <p className="hint">
        Simulated attacks on the pages of some area chairs, for each kind of numbers that they could
        get.
      </p>
      {!run && <p className="soft">No finished run yet.</p>}
      {run && !asked && (
        <div>
          <Button onClick={() => setAsked(true)}>Measure on {run.name}</Button>
        </div>
      )}
      {asked && !audit && (
        <QueryStatus
          query={{ ...query, data: undefined }}
          what="Simulating attacks on the pages of area chairs. This may take a minute."
        />
      )}
      {audit && <PrivacyResult audit={audit} current={conference.disclosure} />}
    </Card>
  );
}

/** The shared run that was finished last, or else any finished one. */
function newestOf({ runs }: ConferenceDetail) {
  const done = runs.filter(({ status }) => status === "done");
  return done.find(({ shared }) => shared) ?? done[0];
}

function PrivacyResult({
  audit,
  current,
}: {
  audit: PrivacySummary;
  current: ConferenceDetail["disclosure"];
}) {
  const chosen = audit.levels.find(({ disclosure }) => disclosure === current);
  return (
    <>
      {chosen && (
        <p>
          With the current setting, area chairs can work out{" "}
          {chosen.certain ? count(chosen.certain) : "none"} of {count(chosen.neighbours)} hidden
          scores next to theirs in a ranking.
        </p>
      )}
      <DataTable
        label="What each setting gives away"
        rows={audit.levels}
        keyOf={({ disclosure }) => disclosure}
        columns={[
          {
            head: "Numbers",
            cell: ({ disclosure }) => DISCLOSURES[disclosure].title,
            names: true,
          },
          {
            head: "Scores worked out",
            cell: ({ certain, neighbours }) => `${count(certain)} of ${count(neighbours)}`,
            number: true,
          },
          { head: "Means worked out", cell: ({ means }) => count(means), number: true },
        ]}
      />
      <p className="hint">
        Measured on {count(audit.audited)} of {counted(audit.area_chairs, "area chair")}.{" "}
        <code>unround audit privacy</code> measures all.
      </p>
    </>
  );
}
