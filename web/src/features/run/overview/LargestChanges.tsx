// The papers whose place changed most, and the reviews that moved furthest.
import { useMemo } from "react";

import { capitalized, fixed, LEAST_MOVE, scoreLabel } from "../../../domain/format";
import { Card } from "../../../components/Card";
import { placesOf, rangeAt, laterMode } from "../../../domain/places";
import { placeChangeReason, rangeText, tiedText } from "../../../domain/placeSentences";
import { hasScores, numberAt, reviewAt, type View } from "../../../domain/run";
import { largestChanges } from "../../../domain/charts";
import { numbers, ScrollTable } from "../../../components/tables";
import { useRun } from "../context";
import { PaperLink, PlaceChange, Move } from "../inline";
import type { Table } from "../useTable";
import { ROUNDING_RANGE } from "../../../domain/glossary";

const PLACES_SHOWN = 10;

export function ChangesOfPlace({ table }: { table: Table }) {
  const { run } = useRun();
  const scores = hasScores(run.view);
  const { rankBy } = table;
  const mode = laterMode(table.state.mode);
  const papers = useMemo(
    () => largestChanges(run, mode, rankBy, PLACES_SHOWN),
    [run, mode, rankBy],
  );
  const places = placesOf(run, mode, rankBy);
  if (!papers.length)
    return (
      <Card look="tight" title="Largest changes of place">
        <p>No paper changed its place.</p>
      </Card>
    );
  return (
    <Card look="tight" title="Largest changes of place">
      <p className="hint">By {rankBy.statistic}. A tie counts as the middle of its places.</p>
      <ScrollTable
        label="Table of the largest changes of place"
        columns={[
          "Paper",
          Boolean(run.view.papers.title) && "Title",
          ...numbers("Given", "Now", "Change"),
          scores && "Why",
        ]}
      >
        {papers.map((paper) => {
          const [before, now] = [rangeAt(places.before, paper), rangeAt(places.now, paper)];
          const why = placeChangeReason(run, paper, { places, rankBy });
          return (
            <tr key={paper}>
              <td>
                <PaperLink paper={paper}>{run.view.papers.paper[paper]}</PaperLink>
              </td>
              {run.view.papers.title && (
                <td className="title" dir="auto">
                  {run.view.papers.title[paper]}
                </td>
              )}
              <td className="number nowrap">{before && tiedText(before)}</td>
              <td className="number nowrap">{now && rangeText(now)}</td>
              <td className="number nowrap">
                <PlaceChange paper={paper} mode={mode} rankBy={rankBy} />
              </td>
              {scores && <td className="why">{why && `${capitalized(why)}.`}</td>}
            </tr>
          );
        })}
      </ScrollTable>
    </Card>
  );
}

const MOVES_SHOWN = 20;
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
    .slice(0, MOVES_SHOWN);
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
