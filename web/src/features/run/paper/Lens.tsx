// The rounding range of a review, enlarged: what pulled the score from the given one to the new one.
import { useRef } from "react";

import { useWidth } from "../../../components/browser";
import { fixed, plain, signed, LEAST_MOVE } from "../../../domain/format";
import { useRun } from "../context";
import { ScoreMarks } from "./Ruler";
import { numberAt, reviewAt, type Run } from "../../../domain/run";

const SIDE = 10;
const AXIS = 30; // the height of the axis
const BELOW = 54; // of the first arrow
const STEP = 18;
const HEAD = 5;

/** Decoration for those who see it: the sentence below says the same. */
export function Lens({ review }: { review: number }) {
  const { run } = useRun();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 640);
  const marks = lensMarks(run, review);
  if (!marks.pulls.length) return null;
  const perUnit = (width - 2 * SIDE) / (marks.to - marks.from);
  const x = (value: number) =>
    SIDE + (Math.min(Math.max(value, marks.from), marks.to) - marks.from) * perUnit;
  const ticks = [marks.lower, marks.given, marks.upper];
  return (
    <div ref={frame} className="ruler lens" aria-hidden="true">
      <svg width={width} height={BELOW + STEP * marks.pulls.length - 8}>
        <rect
          className="ruler-cell"
          x={x(marks.lower)}
          y={AXIS - 12}
          width={Math.max(1, x(marks.upper) - x(marks.lower))}
          height={24}
          rx={3}
        />
        <line className="ruler-axis" x1={x(marks.from)} x2={x(marks.to)} y1={AXIS} y2={AXIS} />
        {ticks.map((tick) => (
          <text key={tick} x={x(tick)} y={AXIS - 15} textAnchor="middle">
            {plain(tick)}
          </text>
        ))}
        <ScoreMarks marks={marks} x={x} y={AXIS} />
        {marks.pulls.map((pull, place) => (
          <PullArrow key={pull.name} pull={pull} x={x} y={BELOW + STEP * place} width={width} />
        ))}
      </svg>
      <p className="hint">
        Its rounding range, enlarged: from {plain(marks.given)} to {fixed(marks.dequantized, 4)}
      </p>
    </div>
  );
}

function PullArrow({
  pull,
  x,
  y,
  width,
}: {
  pull: Pull;
  x(value: number): number;
  y: number;
  width: number;
}) {
  const [start, end] = [x(pull.from), x(pull.to)];
  const back = pull.to > pull.from ? -HEAD : HEAD;
  const head = `M${end + back},${y - 3.5}L${end},${y}L${end + back},${y + 3.5}`;
  const right = Math.max(start, end);
  const inside = right < width - 180; // room for the label to the right of the arrow
  return (
    <>
      <path className="ruler-arrow" d={`M${start},${y}H${end}${head}`} />
      <text
        x={inside ? right + 8 : Math.min(start, end) - 8}
        y={y + 4}
        textAnchor={inside ? "start" : "end"}
      >
        {pull.name} {signed(pull.to - pull.from)}
      </text>
    </>
  );
}

/** One of the parts that a move is the sum of, from where the part before it ends. */
export interface Pull {
  name: "others" | "ranking" | "end of the range";
  from: number;
  to: number;
}

export interface LensMarks {
  from: number;
  to: number;
  lower: number;
  upper: number;
  given: number;
  dequantized: number;
  others: number[]; // those within the lens
  pulls: Pull[];
}

/** The positions of the marks under the lens: the rounding range and half of it on each side. */
export function lensMarks(run: Run, review: number): LensMarks {
  const { paper, score, dequantized, lower, upper, consensus, ranking, cell } = reviewAt(
    run.view,
    review,
  );
  const half = (upper - lower) / 2;
  const [from, to] = [lower - half, upper + half];
  const others = (run.reviewsOf[paper] ?? [])
    .filter((other) => other !== review)
    .map((other) => numberAt(run.view.reviews.dequantized, other))
    .filter((value) => value >= from && value <= to);
  let at = score;
  const parts = [
    ["others", consensus],
    ["ranking", ranking],
    ["end of the range", cell],
  ] as const;
  const pulls = parts.map(([name, part]) => ({ name, from: at, to: (at += part) }));
  return {
    ...{ from, to, lower, upper, given: score, dequantized, others },
    pulls: pulls.filter((pull) => Math.abs(pull.to - pull.from) >= LEAST_MOVE),
  };
}
