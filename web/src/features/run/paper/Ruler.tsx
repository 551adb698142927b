// A review drawn on its scale and, enlarged, in the range that its score may lie in.
import { useRef, type ReactNode } from "react";

import { isWidened, rangeName } from "../../../domain/sentences";
import { scoreLabel, fixed, plain, signed, LEAST_MOVE } from "../../../domain/format";
import { useWidth } from "../../../components/browser";
import { useRun } from "../context";
import { ROUNDING_RANGE, TERMS } from "../../../domain/glossary";
import { numberAt, reviewAt, type Run } from "../../../domain/run";

const SIDE = 10; // px left free on both sides
const HEAD = 5; // of an arrow
/** Where levels are closer than this (px), not all have a label. */
const LABEL_ROOM = 22;

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

export function Ruler({ review }: { review: number }) {
  const { run } = useRun();
  const { levels } = run.view.scale;
  const marks = rulerMarks(run, review);
  const { frame, width, x } = useScale(marks);
  const every = Math.max(1, Math.ceil((LABEL_ROOM * levels.length) / width));
  const axis = 24;
  return (
    <div ref={frame} className="ruler">
      <svg width={width} height={52} role="img" aria-label={rulerText(run, review, marks)}>
        <RangeAndAxis marks={marks} x={x} y={axis} height={28} />
        {levels.map((level, index) => (
          <g key={level}>
            <line className="ruler-axis" x1={x(level)} x2={x(level)} y1={axis} y2={axis + 5} />
            {index % every === 0 && (
              <text x={x(level)} y={50} textAnchor="middle">
                {scoreLabel(run.view, level)}
              </text>
            )}
          </g>
        ))}
        {Math.abs(x(marks.dequantized) - x(marks.given)) >= 2 * HEAD && (
          <Arrow from={x(marks.given)} to={x(marks.dequantized)} y={axis - 17} />
        )}
        <ScoreMarks marks={marks} x={x} y={axis} />
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
function useScale({ from, to }: Marks) {
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

/** A ruler over the whole scale, and over the range where it reaches beyond. */
function rulerMarks(run: Run, review: number): Marks {
  const { reviews, scale } = run.view;
  const { paper, score: given, dequantized, lower, upper } = reviewAt(run.view, review);
  const others = (run.reviewsOf[paper] ?? [])
    .filter((other) => other !== review)
    .map((other) => numberAt(reviews.dequantized, other));
  const [first = 0, second = first + 1] = scale.levels;
  const margin = (second - first) / 2;
  const from = Math.min(lower, first - margin);
  const to = Math.max(upper, (scale.levels.at(-1) ?? first) + margin);
  return { from, to, lower, upper, given, dequantized, others };
}

/** A ruler over the range and half of it on each side. */
function lensMarks(run: Run, review: number): Marks {
  const marks = rulerMarks(run, review);
  const half = (marks.upper - marks.lower) / 2;
  const [from, to] = [marks.lower - half, marks.upper + half];
  const others = marks.others.filter((value) => value >= from && value <= to);
  return { ...marks, from, to, others };
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

/** The drawing in words, for screen readers. */
function rulerText(run: Run, review: number, marks: Marks): string {
  const others = marks.others.map((other) => fixed(other, 3)).join(", ");
  return [
    `Given ${scoreLabel(run.view, marks.given)}`,
    `now ${fixed(marks.dequantized, 3)}`,
    `${rangeName(run.view, review)} from ${plain(marks.lower)} to ${plain(marks.upper)}`,
    others ? `other reviews now at ${others}` : "no other reviews",
  ].join("; ");
}

/** The legend of a paper's rulers. */
export function RulerLegend({ paper }: { paper: number }) {
  const { run } = useRun();
  const widened = run.reviewsOf[paper]?.some((review) => isWidened(run.view, review));
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
          <rect className="ruler-range" width="16" height="16" rx="3" />
        </Key>
        <span title={(widened ? TERMS.widened_range : TERMS.rounding_range).text}>
          Its {ROUNDING_RANGE}
          {widened && ", widened where its ranking needs it"}
        </span>
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
