// Cells of the table of papers that need more than a number or a text.
import { DIGITS, fixed, scoreLabel } from "../../../domain/format";
import { rankingText, shortReviewer } from "../../../domain/rankings";
import { numberAt, valuesOf, type Mode } from "../../../domain/run";
import { useRun } from "../context";
import { PaperLink } from "../PaperLink";
import { RankingLine } from "../RankingLine";

/** A link that is easier to click than the number; keyboards use the number's. */
export function Title({ paper }: { paper: number }) {
  const title = useRun().run.view.papers.title?.[paper];
  if (!title) return null;
  return (
    <PaperLink paper={paper} tabIndex={-1} title={title}>
      {title}
    </PaperLink>
  );
}

export function Scores({ paper, mode }: { paper: number; mode: Mode }) {
  const { run } = useRun();
  const values = valuesOf(run.view, mode);
  const text = (value: number) =>
    mode === "given" ? scoreLabel(run.view, value) : fixed(value, DIGITS[mode]);
  return run.reviewsOf[paper]?.map((review) => (
    <span key={review} className="score">
      {text(numberAt(values, review))}{" "}
    </span>
  ));
}

/** The rankings of the paper's reviewers, one per line, in the order of the scores. */
export function Rankings({ paper }: { paper: number }) {
  const { run } = useRun();
  const { view } = run;
  return run.reviewsOf[paper]?.map((review) => {
    const reviewer = numberAt(view.reviews.reviewer, review);
    return (
      <span
        key={review}
        className="ranking"
        title={`${view.reviewers[reviewer]}: ${rankingText(view, reviewer) || "no ranking"}`}
      >
        <span className="soft">{shortReviewer(view, reviewer)}: </span>
        <RankingLine reviewer={reviewer} paper={paper} />
      </span>
    );
  });
}
