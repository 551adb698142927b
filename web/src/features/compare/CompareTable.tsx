// One row per paper, with its value in every run; only the visible rows are drawn.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, type CSSProperties, type ReactNode } from "react";

import { Link, useRoute } from "../../app/route";
import { Button } from "../../components/buttons";
import {
  changesSide,
  whyOf,
  sortAfterClick,
  type CompareState,
  type CompareColumn,
  type Row,
} from "./comparison";
import { capitalized, count, DIGITS, fixed } from "../../domain/format";
import { numberAt, type Mode, type Run } from "../../domain/run";

const ROW = 36; // px, as in compare.css

export function CompareTable({
  rows,
  runs,
  names,
  ids,
  state,
  tracks,
  sides,
}: {
  rows: Row[];
  runs: Run[];
  names: string[];
  ids: string[];
  state: CompareState;
  tracks: boolean; // whether any paper has a track
  sides: boolean; // whether there is a line
}) {
  const { set } = useRoute();
  const frame = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing here is memoised on it
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  // Numbers first, so that a phone shows them.
  const columns: [CompareColumn, string, boolean][] = [
    ["paper", "Paper", false],
    ...names.map((name, index): [CompareColumn, string, boolean] => [`run${index}`, name, true]),
    ...(sides ? [["side", "Side", false] as [CompareColumn, string, boolean]] : []),
    ["rank", "Places", true],
    ["title", "Title", false],
    ...(tracks ? [["track", "Track", false] as [CompareColumn, string, boolean]] : []),
  ];
  const drawn = virtual.getVirtualItems();
  const layout = {
    gridTemplateColumns: `3rem repeat(${names.length}, minmax(5.6rem, var(--run-width))) ${sides ? "5rem " : ""}4rem minmax(16rem, 3fr)${tracks ? " minmax(6rem, 1fr)" : ""} minmax(16rem, 3fr)`,
  };
  return (
    <div
      ref={frame}
      className="card compare-frame"
      role="region"
      aria-label="Papers side by side"
      // It scrolls, so the keyboard must reach it.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <div
        role="table"
        aria-label="Papers side by side"
        aria-rowcount={rows.length + 1}
        className="compare-table"
      >
        <div role="rowgroup" className="compare-head">
          <div role="row" aria-rowindex={1} className="compare-row" style={layout}>
            {columns.map(([column, text, numeric]) => (
              <div
                key={column}
                role="columnheader"
                className={numeric ? "number" : ""}
                aria-sort={sortOf(column, state)}
              >
                <button
                  type="button"
                  className="sort"
                  onClick={() => set({ sort: sortAfterClick(column, state) })}
                >
                  {text}
                  <span aria-hidden="true">{mark(column, state)}</span>
                </button>
              </div>
            ))}
            <div role="columnheader" className="plain">
              Why
            </div>
          </div>
        </div>
        <div role="rowgroup" className="compare-body" style={{ height: virtual.getTotalSize() }}>
          {drawn.map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <CompareRow
                  key={row.id}
                  row={row}
                  why={capitalized(whyOf(runs, row))}
                  ids={ids}
                  index={item.index}
                  mode={state.mode}
                  tracks={tracks}
                  sides={sides}
                  style={{ ...layout, transform: `translateY(${item.start}px)` }}
                  link={(text, run) => (
                    <Link to={`/r/${run}/paper/${encodeURIComponent(row.id)}`}>{text}</Link>
                  )}
                />
              )
            );
          })}
        </div>
      </div>
      {!rows.length && (
        <p className="waiting soft">
          No papers match.{" "}
          <Button onClick={() => set({ q: null, changing: null })}>Clear filters</Button>
        </p>
      )}
    </div>
  );
}

function sortOf(column: CompareColumn, { sort, descending }: CompareState) {
  if (sort !== column) return "none" as const;
  return descending ? ("descending" as const) : ("ascending" as const);
}

function mark(column: CompareColumn, { sort, descending }: CompareState): string {
  if (sort !== column) return "";
  return descending ? " ▾" : " ▴";
}

/** One paper in every run. */
function CompareRow({
  row,
  why,
  ids,
  index,
  mode,
  tracks,
  sides,
  style,
  link,
}: {
  row: Row;
  why: string;
  ids: string[];
  index: number;
  mode: Mode;
  tracks: boolean;
  sides: boolean;
  style: CSSProperties;
  link(text: string, run: string): ReactNode;
}) {
  const digits = DIGITS[mode];
  // Link to the paper in the last run that has it.
  const last = ids[row.values.findLastIndex((value) => !Number.isNaN(value))] ?? "";
  return (
    <div role="row" aria-rowindex={index + 2} className="compare-row body" style={style}>
      <div role="rowheader">{link(row.id, last)}</div>
      {row.values.map((value, run) => (
        <div key={run} role="cell" className="number">
          {Number.isNaN(value) ? (
            <span className="soft">not in this run</span>
          ) : (
            <>
              <strong>{count(numberAt(row.places, run))}</strong>{" "}
              <span className="soft">{fixed(value, digits)}</span>
            </>
          )}
        </div>
      ))}
      {sides && (
        <div role="cell" className={changesSide(row) ? tone(row.rank) : "soft"}>
          {changesSide(row) ? row.sides.join(" → ") : row.sides[0]}
        </div>
      )}
      <div role="cell" className={`number ${tone(row.rank)}`}>
        {places(row.rank)}
      </div>
      <div role="cell" className="clamped" title={row.title}>
        {row.title}
      </div>
      {tracks && (
        <div role="cell" className="cut soft" title={row.track}>
          {row.track}
        </div>
      )}
      <div role="cell" className="clamped" title={why}>
        {why}
      </div>
    </div>
  );
}

const tone = (value: number): string => (value > 0 ? "up" : value < 0 ? "down" : "soft");

function places(change: number): string {
  if (Number.isNaN(change)) return "–";
  if (!change) return "0";
  return change > 0 ? `↑ ${count(change)}` : `↓ ${count(-change)}`;
}
