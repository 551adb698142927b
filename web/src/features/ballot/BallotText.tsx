// What a ballot says, to read: its order, its answers about pairs, and those about contradictions.
import type { BallotContent, BallotPaper, Score } from "./ballotApi";
import { placeOf, type Order } from "./ballotOrder";
import type { BallotContradiction } from "../../api/schema";
import { ANSWERS, levelText } from "./words";

/** The order, or the answers about pairs where these settle no order. */
export function ContentText({
  content,
  order = null,
  papers,
}: {
  content: BallotContent;
  order?: string[][] | null; // that the pairs settle
  papers: ReadonlyMap<string, BallotPaper>;
}) {
  const said = content.comparisons.filter(({ outcome }) => outcome !== "skip");
  if (!content.comparisons.length) return <OrderText order={content} papers={papers} />;
  if (order?.length)
    return <OrderText order={{ groups: order, cannot_say: [], unplaced: [] }} papers={papers} />;
  return (
    <ul className="lines">
      {said.map(({ first, second, outcome }) => (
        <li key={`${first} ${second}`}>
          {outcome === "tie"
            ? `${first} and ${second} are about the same`
            : outcome === "first"
              ? `${first} is better than ${second}`
              : `${second} is better than ${first}`}
        </li>
      ))}
      {!said.length && <li>No pair is decided.</li>}
    </ul>
  );
}

/** An order to read: places, ties, and what is not placed. */
function OrderText({ order, papers }: { order: Order; papers: ReadonlyMap<string, BallotPaper> }) {
  const place = (group: string[]) => placeOf(order, group[0] ?? "")?.number;
  return (
    <div className="stack tight">
      {order.groups.length === 0 && <p className="soft">Nothing is placed.</p>}
      <ul className="order-text">
        {order.groups.map((group) => (
          <li key={group.join(" ")}>
            <span className="order-place">
              {place(group)}
              {group.length > 1 && "="}
            </span>
            <ul>
              {group.map((paper) => (
                <li key={paper} dir="auto">
                  <span className="strong">{paper}</span> {papers.get(paper)?.title}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {order.cannot_say.length > 0 && <p>Cannot say: {order.cannot_say.join(", ")}</p>}
      {order.unplaced.length > 0 && <p>Not placed: {order.unplaced.join(", ")}</p>}
    </div>
  );
}

/** What a reviewer answered about contradictions, and the scores that they would change. */
export function AnswerList({
  contradictions,
  scores,
  papers,
}: {
  contradictions: BallotContradiction[];
  scores: Record<string, Score>; // that the reviewer would give
  papers: ReadonlyMap<string, BallotPaper>;
}) {
  const changed = Object.entries(scores).map(([paper, score]) => ({
    paper,
    score: levelText(score),
    given: papers.get(paper)?.score ?? null,
  }));
  if (!contradictions.length && !changed.length) return null;
  return (
    <ul className="lines">
      {contradictions.map(({ above, below, score_above, score_below, answer }) => (
        <li key={`${above} ${below}`}>
          {above} above {below}, with {levelText(score_above)} and {levelText(score_below)}:{" "}
          {answer ? ANSWERS[answer].given : "no answer"}
        </li>
      ))}
      {changed.map(({ paper, score, given }) => (
        <li key={paper}>
          {paper} would get {score}
          {given !== null && ` instead of ${levelText(given)}`}; the review keeps its score until it
          is changed there
        </li>
      ))}
    </ul>
  );
}
