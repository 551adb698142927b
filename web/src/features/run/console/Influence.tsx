// How far single reviewers could move papers, measured in the background for chairs.
import { useQuery } from "@tanstack/react-query";

import { Fold } from "../../../components/Card";
import { errorMessage } from "../../../api/errors";
import { api, bodyOf } from "../../../api/client";
import type { InfluenceAudit } from "../../../api/types";
import { numbers, ScrollTable } from "../../../components/tables";
import { count, counted, fixed } from "../../../domain/format";
import { useRun } from "../context";
import { Move, PaperLink } from "../inline";

/** Computed in the background, from the moment that a chair opens the run. */
export function useInfluence(run: string, line: string, enabled: boolean) {
  return useQuery({
    queryKey: ["influence", run, line],
    queryFn: () => bodyOf(api.GET("/api/runs/{run}/influence", { params: { path: { run } } })),
    refetchInterval: ({ state }) => (state.data?.audit === null ? POLL_INTERVAL : false),
    staleTime: Infinity,
    enabled,
  });
}

const POLL_INTERVAL = 1000; // ms, while it is being computed

type Influence = ReturnType<typeof useInfluence>;

/** How much one reviewer could swing, in a sentence. */
export function Swing({ influence }: { influence: Influence }) {
  const { data, error } = influence;
  if (error) return <p className="hint">Not measured: {errorMessage(error)}</p>;
  if (!data?.audit)
    return (
      <p className="hint" role="status">
        Measuring how much one reviewer could swing …
      </p>
    );
  const { turning, plain_turning, above } = data.audit;
  return (
    <p>
      One reviewer alone could take <strong>{turning.toFixed(1)}%</strong> of the papers they read
      across the line at {count(above)} (plain means: {plain_turning.toFixed(1)}%).
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
        How far one reviewer alone could move a paper, by giving each of their papers up to one
        level more or less and ranking them in any order. Only chairs see this.
      </p>
      <h3>The furthest that one reviewer could move a paper</h3>
      <Freedom audit={audit} />
      <h3>Reviewers who could move a mean most</h3>
      <Reviewers audit={audit} />
      <h3>Reviews that matter most</h3>
      <p className="hint">
        What one score changes when it is a level higher or lower and all else stays.
      </p>
      <Reviews audit={audit} />
      <p className="hint">
        Measured on {all ? "all" : `${count(audit.tried)} of`}{" "}
        {counted(audit.reviewers, "reviewer")}, each change computed anew. Under plain means papers
        with equal means share the better place. <code>unround audit influence</code>{" "}
        {all ? "also takes authors into account." : "measures all, and takes authors into account."}
      </p>
    </Fold>
  );
}

/** What a reviewer changes, and how far that moves a mean and a place. */
const MOVES = [
  ["Scores and ranking", "together", "places"],
  ["One score", "score", null],
  ["The ranking", "ranking", null],
  ["Scores, under plain means", "plain", "plain_places"],
] as const;

function Freedom({ audit }: { audit: InfluenceAudit }) {
  return (
    <ScrollTable
      label="How far reviewers could move papers"
      columns={[
        "What is changed",
        ...numbers("Mean, typical", "largest", "Places, typical", "largest"),
      ]}
    >
      {MOVES.map(([text, mean, places]) => (
        <tr key={mean}>
          <td>{text}</td>
          <td className="number">{fixed(audit[mean].median, 3)}</td>
          <td className="number">{fixed(audit[mean].largest, 3)}</td>
          <td className="number">{places && fixed(audit[places].median, 0)}</td>
          <td className="number">{places && fixed(audit[places].largest, 0)}</td>
        </tr>
      ))}
    </ScrollTable>
  );
}

function Reviewers({ audit }: { audit: InfluenceAudit }) {
  return (
    <ScrollTable
      label="Reviewers who could move most"
      columns={[
        "Reviewer",
        ...numbers("Mean", "Plain mean", "Places", "Plain places", "Across the line"),
      ]}
    >
      {audit.worst.map((one) => (
        <tr key={one.reviewer}>
          <td>{one.reviewer}</td>
          <td className="number">
            {one.exact ? "" : "at least "}
            {fixed(one.mean, 3)}
          </td>
          <td className="number">{fixed(one.plain_mean, 3)}</td>
          <td className="number">
            {one.places === one.places_limit ? "" : "at least "}
            {count(one.places)}
          </td>
          <td className="number">{count(one.plain_places)}</td>
          <td className="number">
            {one.turns} of {counted(one.papers, "paper")}
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}

function Reviews({ audit }: { audit: InfluenceAudit }) {
  const { view } = useRun().run;
  const placeOf = new Map(view.papers.paper.map((id, place) => [String(id), place]));
  return (
    <ScrollTable
      label="Reviews that matter most"
      columns={[
        "Paper",
        Boolean(view.papers.title) && "Title",
        "Reviewer",
        ...numbers("Given", "Mean", "Move", "Place"),
      ]}
    >
      {audit.reviews.map((one) => {
        const paper = placeOf.get(one.paper);
        return (
          <tr key={`${one.reviewer} ${one.paper}`}>
            <td>
              {paper === undefined ? one.paper : <PaperLink paper={paper}>{one.paper}</PaperLink>}
            </td>
            {view.papers.title && (
              <td className="title">{paper !== undefined && view.papers.title[paper]}</td>
            )}
            <td>{one.reviewer}</td>
            <td className="number">{one.score}</td>
            <td className="number">{fixed(one.mean, 3)}</td>
            <td className="number">
              <Move by={one.move} />
            </td>
            <td className="number">
              {count(one.place)} → {count(one.place_to)}
            </td>
          </tr>
        );
      })}
    </ScrollTable>
  );
}
