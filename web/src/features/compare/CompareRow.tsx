// One paper in every run.
import type { CSSProperties, ReactNode } from "react";

import { count, DIGITS, fixed } from "../../domain/format";
import type { Mode } from "../../domain/run";
import type { Row } from "./comparison";

export function CompareRow({
  row,
  ids,
  index,
  mode,
  tracks,
  style,
  link,
}: {
  row: Row;
  ids: string[];
  index: number;
  mode: Mode;
  tracks: boolean;
  style: CSSProperties;
  link(text: string, run: string): ReactNode;
}) {
  const digits = DIGITS[mode];
  // Link to the paper in the last run that has it.
  const last = ids[row.values.findLastIndex((value) => !Number.isNaN(value))] ?? "";
  return (
    <div role="row" aria-rowindex={index + 2} className="compare-row body" style={style}>
      <div role="rowheader">{link(row.id, last)}</div>
      <div role="cell" className="cut" title={row.title}>
        {row.title}
      </div>
      {tracks && (
        <div role="cell" className="cut soft" title={row.track}>
          {row.track}
        </div>
      )}
      {row.values.map((value, run) => (
        <div key={run} role="cell" className="number">
          {Number.isNaN(value) ? (
            <span className="soft">not in this run</span>
          ) : (
            fixed(value, digits)
          )}
        </div>
      ))}
      <div role="cell" className={`number ${tone(Number(row.difference.toFixed(digits)))}`}>
        {withSign(row.difference, digits)}
      </div>
      <div role="cell" className={`number ${tone(row.rank)}`}>
        {places(row.rank)}
      </div>
    </div>
  );
}

const tone = (value: number): string => (value > 0 ? "up" : value < 0 ? "down" : "soft");

function withSign(value: number, digits: number): string {
  const text = fixed(value, digits);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

function places(change: number): string {
  if (Number.isNaN(change)) return "–";
  if (!change) return "0";
  return change > 0 ? `↑ ${count(change)}` : `↓ ${count(-change)}`;
}
