// How far single reviewers could move papers, measured in the background for chairs.
import { useQuery } from "@tanstack/react-query";

import { Fold } from "../../../components/Card";
import { errorMessage } from "../../../api/errors";
import { api, bodyOf } from "../../../api/client";
import type { InfluenceAudit } from "../../../api/types";
import { numbers, BoxTable } from "../../../components/tables";
import { count, counted, fixed } from "../../../domain/format";

/** Computed in the background, from the moment that a chair opens the run. `kept`: whether the chairs' line is
 * measured, and not one at a quarter of the papers. */
export function useInfluence(run: string, line: string, enabled: boolean) {
  const query = useQuery({
    queryKey: ["influence", run, line],
    queryFn: () => bodyOf(api.GET("/api/runs/{run}/influence", { params: { path: { run } } })),
    refetchInterval: ({ state }) => (state.data?.audit === null ? POLL_INTERVAL : false),
    staleTime: Infinity,
    enabled,
  });
  return { ...query, kept: line !== "null" };
}

const POLL_INTERVAL = 1000; // ms, while it is being computed

type Influence = ReturnType<typeof useInfluence>;

/** How much one reviewer could swing, in a sentence; nothing where no paper is above the line. */
export function Swing({ influence }: { influence: Pick<Influence, "data" | "error" | "kept"> }) {
  const { data, error, kept } = influence;
  if (error) return <p className="hint">Not measured: {errorMessage(error)}</p>;
  if (!data?.audit)
    return (
      <p className="hint" role="status">
        Measuring how much one reviewer could swing …
      </p>
    );
  const { turning, plain_turning, above } = data.audit;
  const line = kept ? `the line at ${count(above)}` : "a line at a quarter of the papers";
  if (!above) return null;
  return (
    <p>
      One reviewer alone could take <strong>{turning.toFixed(1)}%</strong> of the papers they read
      across {line} (plain means: {plain_turning.toFixed(1)}%).
    </p>
  );
}

/** The same in full. */
export function InfluenceFold({ influence: { data } }: { influence: Influence }) {
  const audit = data?.audit;
  if (!audit) return null;
  const all = audit.tried === audit.reviewers;
  return (
    <Fold
      title="How much one reviewer could swing"
      hint={`${audit.turning.toFixed(1)}% of reviews; plain means ${audit.plain_turning.toFixed(1)}%`}
    >
      <p className="hint">
        How far one reviewer alone could move a paper they read, by giving it one level more and
        ranking it first, or one level less and last. “At most” holds for any scores up to one level
        off with any ranking. Only chairs see this.
      </p>
      <Reviewers audit={audit} />
      <p className="hint">
        Measured on {all ? "all" : `${count(audit.tried)} of`}{" "}
        {counted(audit.reviewers, "reviewer")}, each change computed anew. Under plain means papers
        with equal means share the better place. <code>unround audit influence</code>{" "}
        {all ? "" : "measures all, "}lists single reviews and takes authors into account.
      </p>
    </Fold>
  );
}

function Reviewers({ audit }: { audit: InfluenceAudit }) {
  return (
    <BoxTable
      label="Reviewers who could move most"
      columns={[
        "Reviewer",
        ...numbers("Mean", "Mean at most", "Plain mean"),
        ...numbers("Places", "Places at most", "Plain places", "Across the line"),
      ]}
    >
      {audit.worst.map((one) => (
        <tr key={one.reviewer}>
          <td>{one.reviewer}</td>
          <td className="number">{fixed(one.mean, 3)}</td>
          <td className="number">{fixed(one.mean_limit, 3)}</td>
          <td className="number">{fixed(one.plain_mean, 3)}</td>
          <td className="number">{count(one.places)}</td>
          <td className="number">{count(one.places_limit)}</td>
          <td className="number">{count(one.plain_places)}</td>
          <td className="number">
            {one.turns} of {counted(one.papers, "paper")}
          </td>
        </tr>
      ))}
    </BoxTable>
  );
}
