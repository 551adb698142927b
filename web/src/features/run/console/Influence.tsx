// How far single reviewers could move papers, measured in the background for chairs.

import { Fold } from "../../../components/Card";
import { errorMessage } from "../../../api/errors";
import type { InfluenceSummary, RunDetail } from "../../../api/schema";
import { useGet } from "../../../app/queries";
import { DataTable } from "../../../components/DataTable";
import { count, counted, fixed } from "../../../domain/format";

/** Computed in the background, from the moment that a chair opens the run. `kept`: whether the chairs' line is
 * measured, and not one at a quarter of the papers. */
export function useInfluence(run: string, info: RunDetail | undefined, enabled: boolean) {
  const query = useGet("/api/runs/{run}/influence", enabled && info ? { run } : null, {
    refetchInterval: ({ state }) => (state.data?.audit === null ? POLL_INTERVAL : false),
    staleTime: Infinity,
  });
  return { ...query, kept: Boolean(info?.line) };
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

function Reviewers({ audit }: { audit: InfluenceSummary }) {
  return (
    <DataTable
      label="Reviewers who could move most"
      rows={audit.worst}
      keyOf={({ reviewer }) => reviewer}
      columns={[
        { head: "Reviewer", cell: ({ reviewer }) => reviewer },
        { head: "Mean", cell: ({ move }) => fixed(move, 3), number: true },
        { head: "Mean at most", cell: (one) => fixed(one.limit, 3), number: true },
        { head: "Plain mean", cell: (one) => fixed(one.plain, 3), number: true },
        { head: "Places", cell: ({ places }) => count(places), number: true },
        { head: "Places at most", cell: (one) => count(one.places_limit), number: true },
        { head: "Plain places", cell: (one) => count(one.plain_places), number: true },
        {
          head: "Across the line",
          cell: ({ turns, papers }) => `${turns} of ${counted(papers, "paper")}`,
          number: true,
        },
      ]}
    />
  );
}
