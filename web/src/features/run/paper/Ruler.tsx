// A review drawn on its scale: the rounding range, the given score, the other reviews, the new score.
import { useRef, type ReactNode } from "react";

import { scoreLabel, fixed } from "../../../domain/format";
import { useWidth } from "../../../components/browser";
import { useRun } from "../context";
import { ROUNDING_RANGE, TERMS } from "../../../domain/glossary";
import { numberAt, reviewAt, type Run } from "../../../domain/run";

const HEIGHT = 52;
const LINE = 24; // the height of the axis
const SIDE = 10;
const ARROW = 5;
/** Where levels are closer than this (px), not all have a label. */
const LABEL_ROOM = 22;

export function Ruler({ review }: { review: number }) {
  const { run } = useRun();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 640);
  const marks = rulerMarks(run, review);
  const perUnit = (width - 2 * SIDE) / (marks.to - marks.from);
  const x = (value: number) => SIDE + (value - marks.from) * perUnit;
  const room = width / marks.levels.length;
  const every = Math.max(1, Math.ceil(LABEL_ROOM / room));
  return (
    <div ref={frame} className="ruler">
      <svg width={width} height={HEIGHT} role="img" aria-label={rulerText(run, marks)}>
        <rect
          className="ruler-cell"
          x={x(marks.lower)}
          y={LINE - 14}
          width={Math.max(1, x(marks.upper) - x(marks.lower))}
          height={28}
          rx={3}
        />
        <line className="ruler-axis" x1={x(marks.from)} x2={x(marks.to)} y1={LINE} y2={LINE} />
        {marks.levels.map((level, place) => (
          <g key={level}>
            <line className="ruler-axis" x1={x(level)} x2={x(level)} y1={LINE} y2={LINE + 5} />
            {place % every === 0 && (
              <text x={x(level)} y={HEIGHT - 2} textAnchor="middle">
                {scoreLabel(run.view, level)}
              </text>
            )}
          </g>
        ))}
        <Arrow from={x(marks.given)} to={x(marks.dequantized)} />
        <ScoreMarks marks={marks} x={x} y={LINE} />
      </svg>
    </div>
  );
}

/** The other reviews as strokes through the axis, the given score and the new one as dots on it. */
export function ScoreMarks({
  marks: { others, given, dequantized },
  x,
  y,
}: {
  marks: { others: number[]; given: number; dequantized: number };
  x(value: number): number;
  y: number; // of the axis
}) {
  return (
    <>
      {others.map((other, place) => (
        <line
          key={place}
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

/** The arrow above the axis from the given score to the new one; none where they nearly touch. */
function Arrow({ from, to }: { from: number; to: number }) {
  if (Math.abs(to - from) < 2 * ARROW) return null;
  const [y, back] = [LINE - 17, to > from ? -ARROW : ARROW];
  const head = `M${to + back},${y - 3.5}L${to},${y}L${to + back},${y + 3.5}`;
  return <path className="ruler-arrow" d={`M${from},${y}H${to}${head}`} />;
}

export interface RulerMarks {
  from: number; // the ends of the ruler
  to: number;
  levels: number[];
  lower: number; // the ends of the rounding range
  upper: number;
  given: number;
  dequantized: number;
  others: number[]; // new scores of the paper's other reviews
}

/** The positions of the marks on a ruler, and the same in words. */
export function rulerMarks(run: Run, review: number): RulerMarks {
  const { reviews, scale } = run.view;
  const { paper, score, dequantized, lower, upper } = reviewAt(run.view, review);
  const others = run.reviewsOf[paper]?.filter((other) => other !== review) ?? [];
  const levels = scale.levels;
  const [first = 0, second = first + 1] = levels;
  const margin = (second - first) / 2;
  return {
    from: Math.min(lower, first - margin),
    to: Math.max(upper, (levels.at(-1) ?? first) + margin),
    levels,
    lower,
    upper,
    given: score,
    dequantized,
    others: others.map((other) => numberAt(reviews.dequantized, other)),
  };
}

/** The drawing in words, for screen readers. */
export function rulerText(run: Run, marks: RulerMarks): string {
  const others = marks.others.map((other) => fixed(other, 3)).join(", ");
  return [
    `Given ${scoreLabel(run.view, marks.given)}`,
    `now ${fixed(marks.dequantized, 3)}`,
    `${ROUNDING_RANGE} from ${marks.lower} to ${marks.upper}`,
    others ? `other reviews now at ${others}` : "no other reviews",
  ].join("; ");
}

/** The legend of the rulers. */
export function RulerLegend() {
  return (
    <ul className="ruler-legend">
      <li>
        <Key>
          <circle className="ruler-given" cx="8" cy="8" r="5" />
        </Key>
        Given
      </li>
      <li>
        <Key>
          <circle className="ruler-new" cx="8" cy="8" r="5" />
        </Key>
        Dequantized
      </li>
      <li>
        <Key>
          <line className="ruler-other" x1="8" x2="8" y1="0" y2="16" />
        </Key>
        Other reviews, dequantized
      </li>
      <li>
        <Key>
          <rect className="ruler-cell" width="16" height="16" rx="3" />
        </Key>
        <span title={TERMS.rounding_range.text}>Its {ROUNDING_RANGE}</span>
      </li>
    </ul>
  );
}

function Key({ children }: { children: ReactNode }) {
  return (
    <svg width="16" height="16" aria-hidden="true">
      {children}
    </svg>
  );
}
