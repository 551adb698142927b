// Scores before and after: where new scores lie around the given one, and the reviews that moved most.
import { useMemo, useState } from "react";

import { Button } from "../../../components/buttons";
import { Chart } from "../../../components/Chart";
import { DataTable } from "../../../components/DataTable";
import { count, fixed, LEAST_MOVE, scoreLabel } from "../../../domain/format";
import { ROUNDING_RANGE } from "../../../domain/glossary";
import { numberAt, reviewAt, type Review, type View } from "../../../domain/run";
import { isOutside, outsideCount } from "../../../domain/sentences";
import { onGrid } from "../../../domain/digits";
import { useRun } from "../context";
import { Move, PaperLink } from "../inline";

const BINS = 41; // odd: what did not move has a bin of its own

/** Where each new score lies: 0 at the given one, ±0.5 at the ends of its rounding range. */
function sharesOf({ scale, reviews }: View): number[] {
  return reviews.dequantized.map((value, review) => {
    const score = numberAt(reviews.score, review);
    const level = scale.levels.indexOf(score);
    const end = numberAt(value < score ? scale.lower : scale.upper, level);
    return (value - score) / (2 * Math.abs(end - score));
  });
}

/** How many shares fall into each bin; what lies beyond the range is in the last one. */
function binned(shares: number[]): number[] {
  const counts = Array.from({ length: BINS }, () => 0);
  for (const share of shares) {
    const bin = Math.floor((share + 0.5) * BINS); // from the lower end of the range
    const inside = Math.min(Math.max(bin, 0), BINS - 1);
    counts[inside] = numberAt(counts, inside) + 1;
  }
  return counts;
}

export function AroundTheGiven() {
  const { view } = useRun().run;
  const shares = useMemo(() => sharesOf(view), [view]);
  const counts = useMemo(() => binned(shares), [shares]);
  const outside = useMemo(() => outsideCount(view), [view]);
  const same = shares.filter((share) => onGrid(share) === 0).length;
  const above = shares.filter((share) => onGrid(share) > 0).length;
  const text = `${count(shares.length - same - above)} below the given score, ${count(same)} at it, ${count(above)} above`;
  const most = Math.max(1, ...counts);
  const names = ["lower end", "given score", "upper end"];
  return (
    <section className="stack tight" aria-labelledby="around-the-given">
      <h3 id="around-the-given">Where new scores lie around the given one</h3>
      <p className="hint">
        {outside
          ? `${count(outside)} lie outside the ${ROUNDING_RANGE}, because the rankings were trusted; all others inside it`
          : `All lie inside its ${ROUNDING_RANGE}`}
        : {text}.
      </p>
      <Chart
        label={`New scores inside their rounding range, ${text}`}
        x={{
          from: 0,
          to: BINS,
          ticks: [0, BINS / 2, BINS],
          text: (at) => names[(2 * at) / BINS] ?? "",
        }}
        y={{ to: most, ticks: [0, most], text: count }}
      >
        {({ x, y }) =>
          counts.map((size, bin) => (
            <rect
              key={bin}
              className="chart-new"
              x={x(bin)}
              width={x(bin + 1) - x(bin) - 0.5}
              y={y(size)}
              height={y(0) - y(size)}
            />
          ))
        }
      </Chart>
    </section>
  );
}

const AT_FIRST = 20;
/** The parts that a move is the sum of. */
const PARTS = [
  ["consensus", "Other reviews"],
  ["ranking", "Ranking"],
  ["cell", "Range"],
] as const;

/** The reviews that moved, by their index, the furthest first. */
function movedReviews({ reviews }: View): number[] {
  const moves = reviews.dequantized.map((value, review) =>
    Math.abs(value - numberAt(reviews.score, review)),
  );
  const size = (review: number) => numberAt(moves, review);
  return [...moves.keys()]
    .filter((review) => size(review) >= LEAST_MOVE)
    .sort((a, b) => size(b) - size(a) || a - b);
}

/** The largest moves; all that left their rounding range can be shown. */
export function LargestMoves() {
  const { view } = useRun().run;
  const moved = useMemo(() => movedReviews(view), [view]);
  const outside = useMemo(() => moved.filter((review) => isOutside(view, review)), [view, moved]);
  const [all, setAll] = useState(false);
  return (
    <section className="stack tight">
      <h3>Reviews that moved most</h3>
      <p className="hint">
        {moved.length
          ? `How far a review moved, and how much of that is due to the paper’s other reviews, to the reviewer’s ranking and to the end of its ${ROUNDING_RANGE}.`
          : "No review moved."}
      </p>
      {moved.length > 0 && (
        <DataTable
          label="Table of the largest moves"
          rows={(all ? outside : moved.slice(0, AT_FIRST)).map((review) => reviewAt(view, review))}
          keyOf={({ reviewer, paper }) => `${reviewer} ${paper}`}
          columns={[
            {
              head: "Paper",
              cell: ({ paper }) => <PaperLink paper={paper}>{view.papers.paper[paper]}</PaperLink>,
            },
            view.papers.title !== null && {
              head: "Title",
              cell: ({ paper }) => view.papers.title?.[paper],
              look: "title",
            },
            { head: "Reviewer", cell: ({ reviewer }) => view.reviewers[reviewer] },
            { head: "Given", cell: ({ score }) => scoreLabel(view, score), number: true },
            { head: "New score", cell: (row) => fixed(row.dequantized, 3), number: true },
            { head: "Move", cell: ({ move }) => <Move by={move} />, number: true },
            ...PARTS.map(([part, head]) => ({
              head,
              cell: (row: Review) => <Move by={row[part]} />,
              number: true,
            })),
          ]}
        />
      )}
      {!all && outside.length > AT_FIRST && (
        <div className="no-print">
          <Button onClick={() => setAll(true)}>
            All {count(outside.length)} outside their {ROUNDING_RANGE}
          </Button>
        </div>
      )}
    </section>
  );
}
