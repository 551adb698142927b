// The reviews of a paper on one axis and, enlarged, one of them in the range that its score may lie in.
import { useRef } from "react";

import { rangeName } from "../../../domain/sentences";
import { scoreLabel, fixed, plain, signed, LEAST_MOVE } from "../../../domain/format";
import { useWidth } from "../../../components/browser";
import { useRun } from "../context";
import { numberAt, reviewAt, type Run } from "../../../domain/run";

const SIDE = 10; // px left free on both sides
const HEAD = 5; // of an arrow
/** Where levels are closer than this (px), not all have a label. */
const LABEL_ROOM = 22;
const ROW = 20; // px per review

/** What a ruler shows, in scores. */
interface Marks {
  from: number; // the ends of the ruler
  to: number;
  lower: number; // the ends of the range
  upper: number;
  given: number;
  dequantized: number;
  others: number[]; // new scores of the paper's other reviews
}

/** All reviews of a paper on one axis, one row each: from the given score to the new one. */
export function PaperRuler({ paper }: { paper: number }) {
  const { run } = useRun();
  const { levels } = run.view.scale;
  const reviews = run.reviewsOf[paper] ?? [];
  const scores = reviews.map((review) => reviewAt(run.view, review));
  const ends = [...levels, ...scores.map(({ dequantized }) => dequantized)];
  const margin = levels.length > 1 ? (numberAt(levels, 1) - numberAt(levels, 0)) / 2 : 1;
  const { frame, width, x } = useScale({
    from: Math.min(...ends) - margin,
    to: Math.max(...ends) + margin,
  });
  const every = Math.max(1, Math.ceil((LABEL_ROOM * levels.length) / width));
  const height = ROW * reviews.length;
  const text = scores.map(
    ({ score, dequantized }) => `${scoreLabel(run.view, score)} to ${fixed(dequantized, 3)}`,
  );
  return (
    <div ref={frame} className="ruler">
      <svg
        width={width}
        height={height + 20}
        role="img"
        aria-label={`Reviews from the given score to the new one: ${text.join("; ")}`}
      >
        {levels.map((level, index) => (
          <g key={level}>
            <line className="ruler-grid" x1={x(level)} x2={x(level)} y1={0} y2={height} />
            {index % every === 0 && (
              <text x={x(level)} y={height + 15} textAnchor="middle">
                {scoreLabel(run.view, level)}
              </text>
            )}
          </g>
        ))}
        {scores.map(({ score, dequantized }, index) => {
          const y = ROW * (index + 0.5);
          return (
            <g key={index}>
              <line className="ruler-axis" x1={SIDE} x2={width - SIDE} y1={y} y2={y} />
              {Math.abs(x(dequantized) - x(score)) >= 2 * HEAD && (
                <Arrow from={x(score)} to={x(dequantized)} y={y} />
              )}
              <circle className="ruler-given" cx={x(score)} cy={y} r={5} />
              <circle className="ruler-new" cx={x(dequantized)} cy={y} r={5} />
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** The range of a review, enlarged, with what pulled the score from the given one to the new one. For
 * those who see it: the sentence below says the same. */
export function Lens({ review }: { review: number }) {
  const { run } = useRun();
  const marks = lensMarks(run, review);
  const { frame, width, x } = useScale(marks);
  const pulls = pullsOn(run, review);
  if (!pulls.length) return null;
  const axis = 30;
  return (
    <div ref={frame} className="ruler lens" aria-hidden="true">
      <svg width={width} height={46 + 18 * pulls.length}>
        <RangeAndAxis marks={marks} x={x} y={axis} height={24} />
        {[marks.lower, marks.given, marks.upper].map((tick) => (
          <text key={tick} x={x(tick)} y={axis - 15} textAnchor="middle">
            {plain(tick)}
          </text>
        ))}
        <ScoreMarks marks={marks} x={x} y={axis} />
        {pulls.map((pull, index) => (
          <PullArrow key={pull.name} pull={pull} x={x} y={54 + 18 * index} width={width} />
        ))}
      </svg>
      <p className="hint">
        Its {rangeName(run.view, review)}, enlarged: the score went from {plain(marks.given)} to{" "}
        {fixed(marks.dequantized, 4)}
      </p>
    </div>
  );
}

/** The width of a ruler, and where a score lies on it; scores beyond its ends lie at the ends. */
function useScale({ from, to }: { from: number; to: number }) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 640);
  const perUnit = (width - 2 * SIDE) / (to - from);
  const x = (value: number) => SIDE + (Math.min(Math.max(value, from), to) - from) * perUnit;
  return { frame, width, x };
}

interface Drawn {
  x(score: number): number;
  y: number; // of the axis or the arrow
}

function RangeAndAxis({ marks, x, y, height }: Drawn & { marks: Marks; height: number }) {
  const { from, to, lower, upper } = marks;
  const width = Math.max(1, x(upper) - x(lower));
  return (
    <>
      <rect
        className="ruler-range"
        x={x(lower)}
        y={y - height / 2}
        width={width}
        height={height}
        rx={3}
      />
      <line className="ruler-axis" x1={x(from)} x2={x(to)} y1={y} y2={y} />
    </>
  );
}

/** The other reviews as strokes through the axis, the given score and the new one as dots on it. */
function ScoreMarks({ marks: { others, given, dequantized }, x, y }: Drawn & { marks: Marks }) {
  return (
    <>
      {others.map((other, index) => (
        <line
          key={index}
          className="ruler-other"
          x1={x(other)}
          x2={x(other)}
          y1={y - 9}
          y2={y + 9}
        />
      ))}
      <circle className="ruler-given" cx={x(given)} cy={y} r={5} />
      <circle className="ruler-new" cx={x(dequantized)} cy={y} r={5} />
    </>
  );
}

function Arrow({ from, to, y }: { from: number; to: number; y: number }) {
  const back = to > from ? to - HEAD : to + HEAD;
  const head = `M${back},${y - 3.5}L${to},${y}L${back},${y + 3.5}`;
  return <path className="ruler-arrow" d={`M${from},${y}H${to}${head}`} />;
}

/** One of the parts that a move is the sum of, from where the part before it ends. */
interface Pull {
  name: "others" | "ranking" | "end of the range";
  from: number;
  to: number;
}

function PullArrow({ pull, x, y, width }: Drawn & { pull: Pull; width: number }) {
  const [start, end] = [x(pull.from), x(pull.to)];
  const right = Math.max(start, end);
  const inside = right < width - 180; // room for the label to the right of the arrow
  return (
    <>
      <Arrow from={start} to={end} y={y} />
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

/** The range of a review and half of it on each side. */
function lensMarks(run: Run, review: number): Marks {
  const { reviews } = run.view;
  const { paper, score: given, dequantized, lower, upper } = reviewAt(run.view, review);
  const half = (upper - lower) / 2;
  const [from, to] = [lower - half, upper + half];
  const others = (run.reviewsOf[paper] ?? [])
    .filter((other) => other !== review)
    .map((other) => numberAt(reviews.dequantized, other))
    .filter((value) => value >= from && value <= to);
  return { from, to, lower, upper, given, dequantized, others };
}

function pullsOn(run: Run, review: number): Pull[] {
  const { score, consensus, ranking, cell } = reviewAt(run.view, review);
  let at = score;
  const parts = [
    ["others", consensus],
    ["ranking", ranking],
    ["end of the range", cell],
  ] as const;
  return parts
    .map(([name, part]) => ({ name, from: at, to: (at += part) }))
    .filter(({ from, to }) => Math.abs(to - from) >= LEAST_MOVE);
}
