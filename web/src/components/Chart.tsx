// A small chart over one axis: gridlines with numbers, ticks, and marks that the caller draws.
import { useRef, type ReactNode } from "react";

import { useWidth } from "./browser";

const MARGIN = { top: 12, right: 20, bottom: 22, left: 46 };

interface Scales {
  x(value: number): number;
  y(value: number): number;
  width: number;
}

export function Chart({
  label,
  height = 180,
  x,
  y,
  children,
}: {
  label: string; // the drawing in words, for screen readers
  height?: number;
  x: { from: number; to: number; ticks: number[]; text(tick: number): string };
  y: { from?: number; to: number; ticks: number[]; text(tick: number): string };
  children(scales: Scales): ReactNode;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 480);
  const { from = 0, to } = y;
  const [left, right] = [MARGIN.left, width - MARGIN.right];
  const [top, bottom] = [MARGIN.top, height - MARGIN.bottom];
  const scaleX = (value: number) =>
    left + ((value - x.from) / (x.to - x.from || 1)) * (right - left);
  const scaleY = (value: number) => bottom - ((value - from) / (to - from || 1)) * (bottom - top);
  return (
    <div ref={frame} className="chart">
      <svg width={width} height={height} role="img" aria-label={label}>
        {y.ticks.map((tick) => (
          <g key={tick}>
            <line className="chart-grid" x1={left} x2={right} y1={scaleY(tick)} y2={scaleY(tick)} />
            <text x={left - 6} y={scaleY(tick) + 4} textAnchor="end">
              {y.text(tick)}
            </text>
          </g>
        ))}
        {x.ticks.map((tick) => (
          <text key={tick} x={scaleX(tick)} y={height - 6} textAnchor="middle">
            {x.text(tick)}
          </text>
        ))}
        {children({ x: scaleX, y: scaleY, width })}
      </svg>
    </div>
  );
}

/** A line through points. */
export function Curve({ points, x, y }: { points: [number, number][] } & Scales) {
  return (
    <polyline
      className="chart-line"
      points={points.map(([across, up]) => `${x(across)},${y(up)}`).join(" ")}
    />
  );
}
