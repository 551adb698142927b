// The reviews that moved furthest.
import { useMemo } from "react";

import { fixed, LEAST_MOVE, scoreLabel } from "../../../domain/format";
import type { View } from "../../../domain/run";
import { ScrollRegion } from "../../../components/ScrollRegion";
import { TableHead } from "../../../components/TableHead";
import { useRun } from "../context";
import { Move } from "../Move";
import { PaperLink } from "../PaperLink";
import { Section } from "./Section";

const SHOWN = 20;
/** The parts of a move. */
const PARTS = [
  ["consensus", "Other reviews"],
  ["ranking", "Ranking"],
  ["cell", "Cell"],
] as const;
const moveOf = ({ reviews }: View, review: number) =>
  (reviews.dequantized[review] as number) - (reviews.score[review] as number);

function largest(view: View): number[] {
  return view.reviews.paper
    .map((_, review) => review)
    .filter((review) => Math.abs(moveOf(view, review)) >= LEAST_MOVE)
    .sort((a, b) => Math.abs(moveOf(view, b)) - Math.abs(moveOf(view, a)) || a - b)
    .slice(0, SHOWN);
}

export function LargestMoves() {
  const { view } = useRun().run;
  const found = useMemo(() => largest(view), [view]);
  if (!found.length)
    return (
      <Section title="Largest moves">
        <p>No review moved.</p>
      </Section>
    );
  return (
    <Section title="Largest moves">
      <p className="hint">
        How far a review moved, and the part that the paper's other reviews, the reviewer's ranking
        and the cell had in it.
      </p>
      <ScrollRegion label="Table of the largest moves">
        <table className="plain">
          <TableHead
            columns={[
              "Paper",
              Boolean(view.papers.title) && "Title",
              "Reviewer",
              { text: "Given", className: "number" },
              { text: "Dequantized", className: "number" },
              { text: "Move", className: "number" },
              ...PARTS.map(([, text]) => ({ text, className: "number" })),
            ]}
          />
          <tbody>
            {found.map((review) => {
              const paper = view.reviews.paper[review] as number;
              return (
                <tr key={review}>
                  <td>
                    <PaperLink paper={paper}>{view.papers.paper[paper]}</PaperLink>
                  </td>
                  {view.papers.title && <td className="title">{view.papers.title[paper]}</td>}
                  <td>{view.reviewers[view.reviews.reviewer[review] as number]}</td>
                  <td className="number">
                    {scoreLabel(view, view.reviews.score[review] as number)}
                  </td>
                  <td className="number">{fixed(view.reviews.dequantized[review] as number, 3)}</td>
                  <td className="number">
                    <Move by={moveOf(view, review)} />
                  </td>
                  {PARTS.map(([part]) => (
                    <td key={part} className="number">
                      <Move by={view.reviews[part][review] as number} />
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
    </Section>
  );
}
