// The reviews of a paper, under its row.
import type { Ref } from "react";

import { fixed, scoreText } from "../../../domain/format";
import { reviewAt } from "../../../domain/run";
import { whyMoved } from "../../../domain/sentences";
import { numbers, PlainTable } from "../../../components/PlainTable";
import { useRun } from "../context";
import { ContradictionBadge, Move } from "../marks";
import { PaperLink } from "../PaperLink";

export function ReviewsRow({
  paper,
  span,
  index,
  rowIndex,
  measure,
}: {
  paper: number;
  span: number;
  index: number;
  rowIndex: number;
  measure: Ref<HTMLTableRowElement>;
}) {
  const { run } = useRun();
  const id = run.view.papers.paper[paper];
  return (
    <tr ref={measure} data-index={index} aria-rowindex={rowIndex} className="reviews-row">
      <td colSpan={span}>
        <div className="reviews-row-inside">
          <PlainTable
            label={`Reviews of paper ${id}`}
            columns={["Reviewer", ...numbers("Given", "Dequantized", "Percentile", "Move"), "Why"]}
          >
            {run.reviewsOf[paper]?.map((review) => (
              <ReviewLine key={review} review={review} />
            ))}
          </PlainTable>
          <PaperLink paper={paper}>Open paper {id}</PaperLink>
        </div>
      </td>
    </tr>
  );
}

function ReviewLine({ review }: { review: number }) {
  const { run } = useRun();
  const { reviewer, score, dequantized, percentile, move } = reviewAt(run.view, review);
  return (
    <tr>
      <th scope="row">{run.view.reviewers[reviewer]}</th>
      <td className="number">{scoreText(run.view, score)}</td>
      <td className="number">{fixed(dequantized, 3)}</td>
      <td className="number">{fixed(percentile, 1)}</td>
      <td className="number">
        <Move by={move} />
      </td>
      <td>
        {whyMoved(run, review)}
        {run.contradicts.has(review) && <ContradictionBadge />}
      </td>
    </tr>
  );
}
