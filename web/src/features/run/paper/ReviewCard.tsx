// One review: its score before and after, why it moved, and its reviewer's ranking.
import { fixed, scoreText } from "../../../domain/format";
import { reviewerTitle, stepsOf } from "../../../domain/rankings";
import { hasDistances, reviewAt } from "../../../domain/run";
import { whyMoved } from "../../../domain/sentences";
import { strictnessSentence } from "../../../domain/sureness";
import { useRun } from "../context";
import { ContradictionBadge, Move } from "../marks";
import { RankingLine } from "../PaperLink";
import { Lens } from "./Lens";
import { Ruler } from "./Ruler";

export function ReviewCard({ review }: { review: number }) {
  const { run } = useRun();
  const { reviewer, paper, score, dequantized, percentile, move } = reviewAt(run.view, review);
  const strictness = strictnessSentence(run, review);
  const steps = stepsOf(run.view, reviewer);
  const unranked = steps.length > 0 && !steps.some((step) => step.paper === paper);
  return (
    <article className="card review-card" aria-label={reviewerTitle(run.view, reviewer)}>
      <div className="row spread">
        <h3>{reviewerTitle(run.view, reviewer)}</h3>
        <p className="review-scores">
          <span className="visually-hidden">Given </span>
          {scoreText(run.view, score)}
          <span aria-hidden="true"> → </span>
          <span className="visually-hidden"> dequantized </span>
          <strong>{fixed(dequantized, 3)}</strong> {hasDistances(run.view) && <Move by={move} />}
          <span className="soft"> percentile {fixed(percentile, 1)}</span>
        </p>
      </div>
      <Ruler review={review} />
      <Lens review={review} />
      <p>{whyMoved(run, review)}</p>
      {strictness && <p className="soft">{strictness}</p>}
      <p className="ranking-line">
        <span className="soft">Ranking: </span>
        <RankingLine reviewer={reviewer} paper={paper} links />
        {unranked && <span className="soft"> (this paper is not in it)</span>}
        {run.contradicts.has(review) && <ContradictionBadge />}
      </p>
    </article>
  );
}
