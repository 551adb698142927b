// The rounding range of a review, enlarged: what pulled the score from the given one to the new one.
import { useRef } from "react";

import { useWidth } from "../../../components/useWidth";
import { fixed, plain, signed } from "../../../domain/format";
import { useRun } from "../context";
import { lensMarks, type Pull } from "./lensMarks";

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
        {marks.others.map((other, place) => (
          <line
            key={place}
            className="ruler-other"
            x1={x(other)}
            x2={x(other)}
            y1={AXIS - 9}
            y2={AXIS + 9}
          />
        ))}
        <circle className="ruler-given" cx={x(marks.given)} cy={AXIS} r={5} />
        <circle className="ruler-new" cx={x(marks.dequantized)} cy={AXIS} r={5} />
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
