// A review drawn on its scale: the rounding range, the given score, the other reviews, the new score.
import { useRef } from "react";

import { scoreLabel } from "../../../domain/format";
import { useWidth } from "../../../components/useWidth";
import { useRun } from "../context";
import { rulerMarks, rulerText } from "./rulerMarks";

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
        {marks.others.map((other, place) => (
          <line
            key={place}
            className="ruler-other"
            x1={x(other)}
            x2={x(other)}
            y1={LINE - 9}
            y2={LINE + 9}
          />
        ))}
        <Arrow from={x(marks.given)} to={x(marks.dequantized)} />
        <circle className="ruler-given" cx={x(marks.given)} cy={LINE} r={5} />
        <circle className="ruler-new" cx={x(marks.dequantized)} cy={LINE} r={5} />
      </svg>
    </div>
  );
}

/** The arrow above the axis from the given score to the new one; none where they nearly touch. */
function Arrow({ from, to }: { from: number; to: number }) {
  if (Math.abs(to - from) < 2 * ARROW) return null;
  const [y, back] = [LINE - 17, to > from ? -ARROW : ARROW];
  const head = `M${to + back},${y - 3.5}L${to},${y}L${to + back},${y + 3.5}`;
  return <path className="ruler-arrow" d={`M${from},${y}H${to}${head}`} />;
}
