// One paper: its place and why, its reviews on one ruler, and the decision beside them.
import { useRun } from "../context";
import { PaperDecision } from "../decisions/PaperDecision";
import { PaperStatistics } from "./PaperStatistics";
import { Lens, PaperRuler } from "./Ruler";
import { placeSentence } from "../../../domain/placeSentences";
import { useTable } from "../useTable";
import {
  calibrationSentence,
  IS_AN_ESTIMATE,
  placeRangeSentence,
  strictnessSentence,
} from "../../../domain/uncertainty";
import { columnOf } from "../../../domain/columns";
import { reviewContradiction } from "../../../domain/reviewerContradictions";
import { capitalized, count, counted, fixed, scoreText } from "../../../domain/format";
import { PaperLink, RankingLine, Move } from "../inline";
import { reviewerTitle, stepsOf } from "../../../domain/rankings";
import { hasScores, reviewAt } from "../../../domain/run";
import { moveSentence } from "../../../domain/sentences";
import "./paper.css";

export function Paper({ paper }: { paper: number }) {
  const { run } = useRun();
  const reviews = run.reviewsOf[paper] ?? [];
  return (
    <div className="stack paper-page">
      <div className="row spread">
        <PaperFacts paper={paper} />
        <Neighbours paper={paper} />
      </div>
      <PlaceSentence paper={paper} />
      <PaperUncertainty paper={paper} />
      <div className="paper-columns">
        <section className="stack tight" aria-labelledby="reviews">
          <h2 id="reviews">Reviews</h2>
          {reviews.length > 0 && hasScores(run.view) && <PaperRuler paper={paper} />}
          {reviews.map((review) => (
            <ReviewCard key={review} review={review} />
          ))}
        </section>
        <div className="stack">
          <PaperDecision paper={paper} />
          <PaperStatistics paper={paper} />
        </div>
      </div>
    </div>
  );
}

/** The place of a paper, before and now, and why, in a sentence. */
function PlaceSentence({ paper }: { paper: number }) {
  const { run } = useRun();
  const { rankBy } = useTable();
  const text = placeSentence(run, paper, rankBy);
  return <p className="place-sentence">{text ?? "This paper has no scores, and so no place."}</p>;
}

/** The uncertainty of a paper's place, and the effect of its reviewers' strictness, if estimated. */
function PaperUncertainty({ paper }: { paper: number }) {
  const { run } = useRun();
  const { accept } = useTable().state;
  const sure = placeRangeSentence(run, paper, accept);
  const calibrated = calibrationSentence(run, paper);
  const verdict = run.view.estimates?.calibration?.verdict;
  if (!sure && !calibrated) return null;
  return (
    <div>
      {sure && (
        <p>
          <strong>{sure}</strong> <span className="soft">{IS_AN_ESTIMATE}</span>
        </p>
      )}
      {calibrated && (
        <p className="soft">
          {calibrated} On the whole, {verdict}.
        </p>
      )}
    </div>
  );
}

const FACTS = ["track", "area_chair", "recommendation"] as const;

/** Track, area chair and what they recommend, the decision of the files, and the number of reviews. */
function PaperFacts({ paper }: { paper: number }) {
  const { run } = useRun();
  const facts = FACTS.flatMap((fact) => {
    const { title, textAt } = columnOf(fact);
    const value = textAt?.(run, paper);
    return value ? [[title, value] as const] : [];
  });
  const imported = run.view.papers.decision?.[paper];
  if (imported) facts.push([columnOf("decision").title, imported]);
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div>
        <dt className="visually-hidden">Reviews</dt>
        <dd>{counted(run.reviewsOf[paper]?.length ?? 0, "review")}</dd>
      </div>
    </dl>
  );
}

/** The papers before and after this one, in the order of the table. */
function Neighbours({ paper }: { paper: number }) {
  const { run } = useRun();
  const { papers } = useTable();
  const place = papers.indexOf(paper);
  if (place < 0) return <p className="hint">Not among the papers that the table shows</p>;
  const [previous, next] = [papers[place - 1], papers[place + 1]];
  return (
    <nav aria-label="Neighbouring papers" className="row no-print">
      <span className="hint">
        {count(place + 1)} of {count(papers.length)} in the table
      </span>
      {previous !== undefined && (
        <PaperLink paper={previous} className="button" rel="prev">
          <span aria-hidden="true">←</span> Previous: {run.view.papers.paper[previous]}
        </PaperLink>
      )}
      {next !== undefined && (
        <PaperLink paper={next} className="button" rel="next">
          Next: {run.view.papers.paper[next]} <span aria-hidden="true">→</span>
        </PaperLink>
      )}
    </nav>
  );
}

const LARGE_MOVE = 0.1; // smaller ones are folded

/** One review: its score before and after, why it moved, and its reviewer's ranking. */
function ReviewCard({ review }: { review: number }) {
  const { run } = useRun();
  const { reviewer, paper, score, dequantized, percentile, move } = reviewAt(run.view, review);
  const strictness = strictnessSentence(run, review);
  const scores = hasScores(run.view);
  const contradiction = reviewContradiction(run, review);
  const steps = stepsOf(run.view, reviewer);
  const unranked = steps.length > 0 && !steps.some((step) => step.paper === paper);
  return (
    <article className="card review-card" aria-label={reviewerTitle(run.view, reviewer)}>
      <div className="row spread">
        <h3>{reviewerTitle(run.view, reviewer)}</h3>
        <p className="review-scores">
          <span className="visually-hidden">Given </span>
          {scoreText(run.view, score)}
          {scores && (
            <>
              <span aria-hidden="true"> → </span>
              <span className="visually-hidden"> new score </span>
              <strong>{fixed(dequantized, 3)}</strong> <Move by={move} />
              <span className="soft"> percentile {fixed(percentile, 1)}</span>
            </>
          )}
        </p>
      </div>
      <p>
        {contradiction && (
          <strong className="warn-text">{capitalized(contradiction)}: ask this reviewer. </strong>
        )}
        {scores && moveSentence(run, review)}
      </p>
      {scores && (
        <details open={Math.abs(move) > LARGE_MOVE}>
          <summary className="soft">Enlarged</summary>
          <Lens review={review} />
        </details>
      )}
      {strictness && <p className="soft">{strictness}</p>}
      <p className="ranking-line">
        <span className="soft">Ranking: </span>
        <RankingLine reviewer={reviewer} paper={paper} links />
        {unranked && <span className="soft"> (this paper is not in it)</span>}
      </p>
    </article>
  );
}
