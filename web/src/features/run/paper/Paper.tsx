// One paper: its place and why, its reviews on one ruler, and the decision beside them.
import { useRun } from "../context";
import { PaperDecision } from "../decisions/PaperDecision";
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
import { leastDigits } from "../../../domain/digits";
import { capitalized, count, DIGITS, fixed, scoreText } from "../../../domain/format";
import { STATISTIC_WORDS, STATISTICS, type Statistic } from "../../../domain/glossary";
import { DataTable } from "../../../components/DataTable";
import { DefinitionList } from "../../../components/tables";
import { Move, Neighbours, RankingLine } from "../inline";
import { reviewerTitle, stepsOf } from "../../../domain/rankings";
import { reviewAt, statisticOf, type Mode } from "../../../domain/run";
import { moveSentence } from "../../../domain/sentences";
import "./paper.css";

export function Paper({ paper }: { paper: number }) {
  const { run } = useRun();
  const reviews = run.reviewsOf[paper] ?? [];
  return (
    <div className="stack paper-page">
      <div className="row spread">
        <PaperFacts paper={paper} />
        <PlaceInTable paper={paper} />
      </div>
      <PlaceSentence paper={paper} />
      <PaperUncertainty paper={paper} />
      <div className="columns">
        <section className="stack tight" aria-labelledby="reviews">
          <h2 id="reviews">Reviews</h2>
          {reviews.length > 0 && <PaperRuler paper={paper} />}
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
  facts.push(["Reviews", count(run.reviewsOf[paper]?.length ?? 0)]);
  return <DefinitionList className="facts" items={facts} />;
}

/** The papers before and after this one, in the order of the table. */
function PlaceInTable({ paper }: { paper: number }) {
  const { papers } = useTable();
  const index = papers.indexOf(paper);
  if (index < 0) return <p className="hint">Not among the papers that the table shows</p>;
  return (
    <Neighbours previous={papers[index - 1]} next={papers[index + 1]}>
      <span className="hint">
        {count(index + 1)} of {count(papers.length)} in the table
      </span>
    </Neighbours>
  );
}

/** The statistics of a paper before and after. */
function PaperStatistics({ paper }: { paper: number }) {
  const { run } = useRun();
  const digits = (mode: Mode, statistic: Statistic) =>
    mode === "given" ? leastDigits(run.view, mode, statistic) : DIGITS[mode];
  const value = (mode: Mode) => (statistic: Statistic) =>
    fixed(statisticOf(run, mode, paper, statistic), digits(mode, statistic));
  return (
    <DataTable
      look="card"
      label="Statistics before and after"
      rows={STATISTICS}
      keyOf={(statistic) => statistic}
      columns={[
        {
          head: "Statistic",
          cell: (name) => STATISTIC_WORDS[name].title,
          hidden: true,
          names: true,
        },
        { head: "Given", cell: value("given"), number: true },
        { head: "New", cell: value("dequantized"), number: true },
        {
          head: "Moved by",
          cell: (name) => (
            <Move
              by={
                statisticOf(run, "dequantized", paper, name) -
                statisticOf(run, "given", paper, name)
              }
              digits={digits("dequantized", name)}
            />
          ),
          number: true,
        },
      ]}
    />
  );
}

const LARGE_MOVE = 0.1; // smaller ones are folded

/** One review: its score before and after, why it moved, and its reviewer's ranking. */
function ReviewCard({ review }: { review: number }) {
  const { run } = useRun();
  const { reviewer, paper, score, dequantized, percentile, move } = reviewAt(run.view, review);
  const strictness = strictnessSentence(run, review);
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
          <span aria-hidden="true"> → </span>
          <span className="visually-hidden"> new score </span>
          <strong>{fixed(dequantized, 3)}</strong> <Move by={move} />
          <span className="soft"> percentile {fixed(percentile, 1)}</span>
        </p>
      </div>
      <p>
        {contradiction && (
          <strong className="warn-text">{capitalized(contradiction)}: ask this reviewer. </strong>
        )}
        {moveSentence(run, review)}
      </p>
      <details open={Math.abs(move) > LARGE_MOVE}>
        <summary className="soft">Enlarged</summary>
        <Lens review={review} />
      </details>
      {strictness && <p className="soft">{strictness}</p>}
      <p className="ranking-line">
        <span className="soft">Ranking: </span>
        <RankingLine reviewer={reviewer} paper={paper} links />
        {unranked && <span className="soft"> (this paper is not in it)</span>}
      </p>
    </article>
  );
}
