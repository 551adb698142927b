// One review: where its score was and is, why, and what its reviewer said of their other papers.
import { fixed, scoreLabel } from "../../../domain/format";
import { reviewerTitle, stepsOf } from "../../../domain/rankings";
import { whyMoved } from "../../../domain/sentences";
import { useRun } from "../context";
import { Move } from "../Move";
import { RankingLine } from "../RankingLine";
import { Ruler } from "./Ruler";

export function ReviewCard({ review }: { review: number }) {
  const { run } = useRun();
  const { reviews } = run.view;
  const reviewer = reviews.reviewer[review] as number;
  const given = reviews.score[review] as number;
  const dequantized = reviews.dequantized[review] as number;
  const paper = reviews.paper[review] as number;
  const steps = stepsOf(run.view, reviewer);
  const unranked = steps.length > 0 && !steps.some((step) => step.paper === paper);
  return (
    <article className="card review-card" aria-label={reviewerTitle(run.view, reviewer)}>
      <div className="row spread">
        <h3>{reviewerTitle(run.view, reviewer)}</h3>
        <p className="review-scores">
          <span className="visually-hidden">Given </span>
          {scoreLabel(run.view, given)}
          <span aria-hidden="true"> → </span>
          <span className="visually-hidden"> dequantized </span>
          <strong>{fixed(dequantized, 3)}</strong> <Move by={dequantized - given} />
          <span className="soft"> percentile {fixed(reviews.percentile[review] as number, 1)}</span>
        </p>
      </div>
      <Ruler review={review} />
      <p>{whyMoved(run, review)}</p>
      <p className="ranking-line">
        <span className="soft">Ranking: </span>
        <RankingLine reviewer={reviewer} paper={paper} links />
        {unranked && <span className="soft"> (does not hold this paper)</span>}
        {run.contradicts.has(review) && <span className="badge warn">Rank contradicts score</span>}
      </p>
    </article>
  );
}
