// The reviews that moved furthest.
import { useMemo } from "react";

import { Card } from "../../../components/Card";
import { fixed, LEAST_MOVE, scoreLabel } from "../../../domain/format";
import { ROUNDING_RANGE } from "../../../domain/glossary";
import { numberAt, reviewAt, type View } from "../../../domain/run";
import { numbers, ScrollTable } from "../../../components/PlainTable";
import { useRun } from "../context";
import { Move } from "../marks";
import { PaperLink } from "../PaperLink";

const SHOWN = 20;
/** The parts that a move is the sum of. */
const PARTS = [
  ["consensus", "Other reviews"],
  ["ranking", "Ranking"],
  ["cell", "Range"],
] as const;
/** The reviews that moved furthest, by their index. */
function largest({ reviews }: View): number[] {
  const moves = reviews.dequantized.map((value, review) =>
    Math.abs(value - numberAt(reviews.score, review)),
  );
  const size = (review: number) => numberAt(moves, review);
  return [...moves.keys()]
    .filter((review) => size(review) >= LEAST_MOVE)
    .sort((a, b) => size(b) - size(a) || a - b)
    .slice(0, SHOWN);
}

export function LargestMoves() {
  const { view } = useRun().run;
  const moved = useMemo(() => largest(view), [view]);
  if (!moved.length)
    return (
      <Card look="tight" title="Reviews that moved most">
        <p>No review moved.</p>
      </Card>
    );
  return (
    <Card look="tight" title="Reviews that moved most">
      <p className="hint">
        How far a review moved, and how much of that is due to the paper's other reviews, to the
        reviewer's ranking and to the end of its {ROUNDING_RANGE}.
      </p>
      <ScrollTable
        label="Table of the largest moves"
        columns={[
          "Paper",
          Boolean(view.papers.title) && "Title",
          "Reviewer",
          ...numbers("Given", "Dequantized", "Move"),
          ...PARTS.map(([, text]) => ({ text, className: "number" })),
        ]}
      >
        {moved.map((review) => {
          const row = reviewAt(view, review);
          return (
            <tr key={review}>
              <td>
                <PaperLink paper={row.paper}>{view.papers.paper[row.paper]}</PaperLink>
              </td>
              {view.papers.title && <td className="title">{view.papers.title[row.paper]}</td>}
              <td>{view.reviewers[row.reviewer]}</td>
              <td className="number">{scoreLabel(view, row.score)}</td>
              <td className="number">{fixed(row.dequantized, 3)}</td>
              <td className="number">
                <Move by={row.move} />
              </td>
              {PARTS.map(([part]) => (
                <td key={part} className="number">
                  <Move by={row[part]} />
                </td>
              ))}
            </tr>
          );
        })}
      </ScrollTable>
    </Card>
  );
}
