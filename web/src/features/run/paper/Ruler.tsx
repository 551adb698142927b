// The reviews of a paper on one axis and, enlarged, one of them in the range that its score may lie in.
import { useRef } from "react";

import { rangeName } from "../../../domain/sentences";
import { scoreLabel, fixed, plain } from "../../../domain/format";
import { useWidth } from "../../../components/browser";
import { useRun } from "../context";
import { numberAt, reviewAt } from "../../../domain/run";

const SIDE = 10; // px left free on both sides
const HEAD = 5; // of an arrow
/** Where levels are closer than this (px), not all have a label. */
const LABEL_ROOM = 22;
const ROW = 20; // px per review

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
              <ScoreMove from={x(score)} to={x(dequantized)} y={y} />
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** The range of a review, enlarged, with the paper's other reviews. For those who see it: the sentence
 * above says what moved the score. */
export function Lens({ review }: { review: number }) {
  const { run } = useRun();
  const { paper, score, dequantized, lower, upper } = reviewAt(run.view, review);
  const half = (upper - lower) / 2;
  const [from, to] = [lower - half, upper + half];
  const { frame, width, x } = useScale({ from, to });
  const others = (run.reviewsOf[paper] ?? [])
    .filter((other) => other !== review)
    .map((other) => numberAt(run.view.reviews.dequantized, other))
    .filter((value) => value >= from && value <= to);
  const y = 30;
  return (
    <div ref={frame} className="ruler lens" aria-hidden="true">
      <svg width={width} height={46}>
        <rect
          className="ruler-range"
          x={x(lower)}
          y={y - 12}
          width={Math.max(1, x(upper) - x(lower))}
          height={24}
          rx={3}
        />
        <line className="ruler-axis" x1={x(from)} x2={x(to)} y1={y} y2={y} />
        {[lower, score, upper].map((tick) => (
          <text key={tick} x={x(tick)} y={y - 15} textAnchor="middle">
            {plain(tick)}
          </text>
        ))}
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
        <ScoreMove from={x(score)} to={x(dequantized)} y={y} />
      </svg>
      <p className="hint">
        Its {rangeName(run.view, review)}, enlarged, with the paper’s other reviews: the score went
        from {plain(score)} to {fixed(dequantized, 4)}
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

/** The given score and the new one as dots, with an arrow between them where there is room. */
function ScoreMove({ from, to, y }: { from: number; to: number; y: number }) {
  const back = to > from ? to - HEAD : to + HEAD;
  const head = `M${back},${y - 3.5}L${to},${y}L${back},${y + 3.5}`;
  return (
    <>
      {Math.abs(to - from) >= 2 * HEAD && (
        <path className="ruler-arrow" d={`M${from},${y}H${to}${head}`} />
      )}
      <circle className="ruler-given" cx={from} cy={y} r={5} />
      <circle className="ruler-new" cx={to} cy={y} r={5} />
    </>
  );
}
