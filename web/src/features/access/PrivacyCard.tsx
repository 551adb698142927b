// What area chairs could find out about papers that are not theirs, measured when a chair asks.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { Card } from "../../components/Card";
import { api, bodyOf } from "../../api/client";
import type { Conference, PrivacyAudit } from "../../api/types";
import { Button } from "../../components/buttons";
import { QueryStatus } from "../../components/Notice";
import { numbers, BoxTable } from "../../components/tables";
import { count, counted, signed } from "../../domain/format";
import { DISCLOSURES } from "../../domain/glossary";

const POLL_INTERVAL = 1000; // ms, while it is being computed

/** It takes long: a button starts it, and its result appears when it is done. */
export function PrivacyCard({ conference }: { conference: Conference }) {
  const run = newestOf(conference);
  const [asked, setAsked] = useState(false);
  const query = useQuery({
    queryKey: ["privacy", run?.id, conference.show_stars],
    queryFn: () =>
      bodyOf(api.GET("/api/runs/{run}/privacy", { params: { path: { run: run?.id ?? "" } } })),
    enabled: asked,
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
function newestOf({ runs }: Conference) {
  const done = runs.filter(({ status }) => status === "done");
  return done.find(({ shared }) => shared) ?? done[0];
}

const percent = (share: number | null) => (share === null ? "" : `${share.toFixed(1)}%`);

function PrivacyResult({
  audit,
  current,
}: {
  audit: PrivacyAudit;
  current: Conference["disclosure"];
}) {
  const chosen = audit.levels.find(({ disclosure }) => disclosure === current);
  return (
    <>
      {chosen && (
        <p>
          With the current setting, area chairs can work out{" "}
          {chosen.certain ? count(chosen.certain) : "none"} of {count(chosen.beside)} hidden scores
          next to theirs in a ranking.
        </p>
      )}
      <BoxTable
        label="What each setting gives away"
        columns={[
          "Numbers",
          ...numbers(
            "Scores worked out",
            "Means worked out",
            "Picked right of two",
            "By given scores alone",
            "Difference (90%)",
            "Hidden facts that show",
          ),
        ]}
      >
        {audit.levels.map((level) => (
          <tr key={level.disclosure}>
            <th scope="row">{DISCLOSURES[level.disclosure].title}</th>
            <td className="number">
              {count(level.certain)} of {count(level.beside)}
            </td>
            <td className="number">{count(level.means)}</td>
            <td className="number">{percent(level.picked)}</td>
            <td className="number">{percent(level.baseline)}</td>
            <td className="number">{level.gain?.map((end) => signed(end, 1)).join(" to ")}</td>
            <td className="number">{percent(level.traces)}</td>
          </tr>
        ))}
      </BoxTable>
      {chosen && chosen.worst.length > 0 && (
        <p>
          Area chairs who could work out most:{" "}
          {chosen.worst.map(({ name, certain }) => `${name} (${certain})`).join(", ")}.
        </p>
      )}
      <p className="hint">
        <em>Picked right of two:</em> of two hidden papers, one with the same score as a paper that
        the area chair sees and one with another, how often the first is found. Without knowing
        anything it is 50%. <em>Hidden facts that show:</em> of {count(audit.facts)} hidden scores
        and comparisons, changed one by one and computed anew, how many change the page. Measured on{" "}
        {count(audit.audited)} of {counted(audit.area_chairs, "area chair")}.{" "}
        <code>unround audit privacy</code> measures all.
      </p>
    </>
  );
}
