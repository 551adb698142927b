// The rankings of a paper's reviewers, one a line, in the order of the scores.
import { rankingText, shortReviewer } from "../../../domain/rankings";
import { useRun } from "../context";
import { RankingLine } from "../RankingLine";

export function Rankings({ paper }: { paper: number }) {
  const { run } = useRun();
  const { view } = run;
  return run.reviewsOf[paper]?.map((review) => {
    const reviewer = view.reviews.reviewer[review] as number;
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
