// What a reviewer answered about contradictions, and the scores that they would change.
import type { BallotContradiction } from "../../api/types";
import type { BallotPaper, Score } from "./ballotApi";
import { ANSWERS, levelText } from "./words";

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
