// What area chairs could find out about papers that are not theirs, measured when a chair asks.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { api, bodyOf } from "../../api/client";
import type { Conference, PrivacyAudit } from "../../api/types";
import { ScrollRegion } from "../../components/ScrollRegion";
import { TableHead } from "../../components/TableHead";
import { Loading, Waiting } from "../../components/Waiting";
import { count, counted } from "../../domain/format";
import { DISCLOSURES } from "../../domain/glossary";

const ASK_EVERY = 1000; // ms, while it is being measured
const MEASURING = "Attacking the pages of area chairs. This may take a minute.";

export function PrivacyCard({ conference }: { conference: Conference }) {
  const run = newestOf(conference);
  const [asked, setAsked] = useState(false);
  const audit = useQuery({
    queryKey: ["privacy", run?.id, conference.show_stars],
    queryFn: () =>
      bodyOf(api.GET("/api/runs/{run}/privacy", { params: { path: { run: run?.id ?? "" } } })),
    enabled: asked && run !== undefined,
    refetchInterval: ({ state }) => (state.data?.audit === null ? ASK_EVERY : false),
    staleTime: Infinity,
    retry: false,
  });
  return (
    <section className="card stack" aria-labelledby="privacy">
      <h2 id="privacy">What area chairs could find out</h2>
      <p className="hint">
        Attacks on the pages of a sample of area chairs, at each setting of the numbers that they
        get.
      </p>
      {!run && <p className="soft">No finished run yet.</p>}
      {run && !asked && (
        <div className="row">
          <button type="button" className="button" onClick={() => setAsked(true)}>
            Measure on {run.name}
          </button>
        </div>
      )}
      {asked && <Waiting query={audit} what={MEASURING} />}
      {audit.data?.audit === null && !audit.error && <Loading what={MEASURING} />}
      {audit.data?.audit && <Found audit={audit.data.audit} current={conference.disclosure} />}
    </section>
  );
}

/** The shared run that was finished last, or else any finished one. */
function newestOf({ runs }: Conference) {
  const done = runs.filter(({ status }) => status === "done");
  return done.find(({ shared }) => shared) ?? done[0];
}

const percent = (share: number | null) => (share === null ? "" : `${share.toFixed(1)}%`);

function Found({ audit, current }: { audit: PrivacyAudit; current: Conference["disclosure"] }) {
  const chosen = audit.levels.find(({ disclosure }) => disclosure === current);
  return (
    <>
      {chosen && (
        <p>
          With the present setting, {count(chosen.certain)} of {count(chosen.beside)} hidden scores
          beside theirs in a ranking can be known for sure.
        </p>
      )}
      <ScrollRegion label="What each setting gives away">
        <table className="plain">
          <TableHead
            columns={[
              "Numbers",
              { text: "Known for sure", className: "number" },
              { text: "Means computed", className: "number" },
              { text: "Guessed right", className: "number" },
              { text: "By given scores alone", className: "number" },
              { text: "Facts with a trace", className: "number" },
            ]}
          />
          <tbody>
            {audit.levels.map((level) => (
              <tr key={level.disclosure}>
                <th scope="row">{DISCLOSURES[level.disclosure].title}</th>
                <td className="number">
                  {count(level.certain)} of {count(level.beside)}
                </td>
                <td className="number">{count(level.means)}</td>
                <td className="number">{percent(level.guessed)}</td>
                <td className="number">{percent(level.baseline)}</td>
                <td className="number">{percent(level.traces)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {chosen && chosen.worst.length > 0 && (
        <p>Most: {chosen.worst.map(({ name, certain }) => `${name} (${certain})`).join(", ")}.</p>
      )}
      <p className="hint">
        Measured on {count(audit.audited)} of {counted(audit.area_chairs, "area chair")} and{" "}
        {counted(audit.facts, "hidden fact")}, changed one by one and solved again.{" "}
        <code>unround audit privacy</code> measures all.
      </p>
    </>
  );
}
