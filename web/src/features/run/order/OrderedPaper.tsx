// One paper of an area chair who sees the order and the given scores: its place, reviews and rankings.
import { useMemo } from "react";

import { Card } from "../../../components/Card";
import { DataTable } from "../../../components/DataTable";
import { scoreText } from "../../../domain/format";
import { orderContradiction, placedPapers, reasonAgainstNext } from "../../../domain/paperOrder";
import { reviewerTitle } from "../../../domain/rankings";
import { reviewAt } from "../../../domain/run";
import { rangeText } from "../../../domain/places";
import { useRun, useActions } from "../context";
import { ContradictionBadge, PaperLink, RankingLine } from "../inline";
import { RecommendationNote, RecommendationChoice } from "./Recommendation";
import "./order.css";

export function OrderedPaper({ paper }: { paper: number }) {
  const { run } = useRun();
  const actions = useActions();
  const placed = useMemo(() => placedPapers(run), [run]);
  const index = placed.findIndex((one) => one.paper === paper);
  const [previous, own, next] = [placed[index - 1], placed[index], placed[index + 1]];
  const reason = own && reasonAgainstNext(run, own, next);
  const contradiction = orderContradiction(run, paper);
  const id = run.view.papers.paper;
  const reviewerOf = (review: number) => reviewAt(run.view, review).reviewer;
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
        <DataTable
          label="Reviews and rankings"
          rows={run.reviewsOf[paper] ?? []}
          keyOf={(review) => review}
          columns={[
            {
              head: "Reviewer",
              cell: (review) => reviewerTitle(run.view, reviewerOf(review)),
              names: true,
            },
            {
              head: "Given",
              cell: (review) => scoreText(run.view, reviewAt(run.view, review).score),
            },
            {
              head: "Ranking",
              cell: (review) => (
                <>
                  <RankingLine reviewer={reviewerOf(review)} paper={paper} links />{" "}
                  {run.contradicts.has(review) && <ContradictionBadge />}
                </>
              ),
            },
          ]}
        />
      </Card>
    </div>
  );
}
