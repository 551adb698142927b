// One paper of an area chair who sees the order and the given scores: its place, reviews and rankings.
import { useMemo } from "react";

import { Card } from "../../../components/Card";
import { BoxTable } from "../../../components/tables";
import { scoreText } from "../../../domain/format";
import { orderContradiction, placedPapers, reasonAgainstNext } from "../../../domain/paperOrder";
import { rangeText } from "../../../domain/placeSentences";
import { reviewerTitle } from "../../../domain/rankings";
import { reviewAt } from "../../../domain/run";
import { useRun } from "../context";
import { ContradictionBadge, PaperLink, RankingLine } from "../inline";
import { RecommendationNote, RecommendationChoice } from "./Recommendation";
import "./order.css";

export function OrderedPaper({ paper }: { paper: number }) {
  const { run, actions } = useRun();
  const placed = useMemo(() => placedPapers(run), [run]);
  const index = placed.findIndex((one) => one.paper === paper);
  const [previous, own, next] = [placed[index - 1], placed[index], placed[index + 1]];
  const reason = own && reasonAgainstNext(run, own, next);
  const contradiction = orderContradiction(run, paper);
  const id = run.view.papers.paper;
  return (
    <div className="stack">
      <div className="row spread">
        <p>
          {own?.first
            ? `Place ${rangeText(own)} of your ${placed.length} papers${reason ? `: ${reason}` : ""}.`
            : "This paper has no scores, and so no place."}
        </p>
        <nav aria-label="Neighbouring papers" className="row no-print">
          {previous && own && (
            <PaperLink paper={previous.paper} className="button" rel="prev">
              <span aria-hidden="true">←</span> Previous: {id[previous.paper]}
            </PaperLink>
          )}
          {next && own && (
            <PaperLink paper={next.paper} className="button" rel="next">
              Next: {id[next.paper]} <span aria-hidden="true">→</span>
            </PaperLink>
          )}
        </nav>
      </div>
      {contradiction && <p className="warn-text">⚠ {contradiction}.</p>}
      {actions.recommending && (
        <Card title="My recommendation" look="tight no-print paper-recommendation">
          <RecommendationChoice paper={paper} />
          <RecommendationNote paper={paper} />
        </Card>
      )}
      <Card title="Reviews" look="tight">
        <BoxTable label="Reviews and rankings" columns={["Reviewer", "Given", "Ranking"]}>
          {(run.reviewsOf[paper] ?? []).map((review) => {
            const { reviewer, score } = reviewAt(run.view, review);
            return (
              <tr key={review}>
                <th scope="row">{reviewerTitle(run.view, reviewer)}</th>
                <td>{scoreText(run.view, score)}</td>
                <td>
                  <RankingLine reviewer={reviewer} paper={paper} links />{" "}
                  {run.contradicts.has(review) && <ContradictionBadge />}
                </td>
              </tr>
            );
          })}
        </BoxTable>
      </Card>
    </div>
  );
}
