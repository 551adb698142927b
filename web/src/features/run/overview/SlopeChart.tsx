// Places around the line: on the left by given scores, on the right now.
import * as Plot from "@observablehq/plot";
import { useCallback, useMemo } from "react";

import { Figure } from "../../../components/Figure";
import { count } from "../../../domain/format";
import { lineOf, type Accept } from "../../../domain/line";
import { rangeText, tiedText } from "../../../domain/placeSentences";
import { laterMode, type Range } from "../../../domain/places";
import { slopesOf, type Coloured, type Slope } from "../../../domain/charts";
import { useRun } from "../context";
import type { Table } from "../useTable";

/** The line of the chart unless the reader chose one: the best quarter of all papers. */
const QUARTER: Accept = { amount: 25, percent: true, perTrack: false };
const ROW = 13; // px per paper
const LEAST_HEIGHT = 220;
const TONES: Record<Coloured, string> = {
  settled: "var(--up)",
  in: "var(--up)",
  out: "var(--down)",
  undecided: "var(--warn)",
};

const middle = ({ first, last }: Range): number => (first + last) / 2;
const toneOf = ({ part }: Slope): string => (part === null ? "var(--given)" : TONES[part]);

export function SlopeChart({ table }: { table: Table }) {
  const { run } = useRun();
  const { rankBy } = table;
  const mode = laterMode(table.state.mode);
  const accept = table.state.accept ?? QUARTER;
  const at = useMemo(
    () => lineOf(run, mode, rankBy, { ...accept, perTrack: false }).places,
    [run, mode, rankBy, accept],
  );
  const slopes = useMemo(() => slopesOf(run, mode, rankBy, accept), [run, mode, rankBy, accept]);
  const options = useCallback(
    (width: number) => slopeOptions(run.view.papers.paper, slopes, at, width),
    [run, slopes, at],
  );
  if (slopes.length < 2) return <p className="hint">Too few papers for a chart of places.</p>;
  const text = slopes
    .map(
      ({ paper, before, now }) =>
        `${run.view.papers.paper[paper]}: ${tiedText(before)} to ${rangeText(now)}`,
    )
    .join("; ");
  return (
    <>
      <p className="hint">{captionOf(table, at, slopes.length)}</p>
      <Figure label={`Places around the line, given to now. ${text}`} options={options} />
    </>
  );
}

function captionOf({ state, rankBy }: Table, at: number, size: number): string {
  const which = state.accept
    ? `the line at place ${count(at)}`
    : `place ${count(at)}, a quarter of all papers`;
  const tracks = state.accept?.perTrack ? " The chart takes all tracks together." : "";
  const own = state.accept ? "" : " Enter how many you accept to see your own line.";
  return `The ${size} papers around ${which}, by ${rankBy.statistic}: on the left by given scores, where ties share a point, on the right now.${own}${tracks}`;
}

function slopeOptions(
  ids: (number | string)[],
  slopes: Slope[],
  at: number,
  width: number,
): Plot.PlotOptions {
  const label = ({ paper, now }: Slope) => `${ids[paper]} (${rangeText(now)})`;
  const rows = slopes.map((slope) => ({
    ...slope,
    x1: 0,
    x2: 1,
    y1: middle(slope.before),
    y2: slope.position,
  }));
  const ends = rows.flatMap(({ y1, y2 }) => [y1, y2]);
  const lefts = [...new Map(rows.map((row) => [row.before.first, row])).values()];
  return {
    height: Math.max(LEAST_HEIGHT, ROW * slopes.length + 60),
    marginLeft: Math.min(120, width / 4),
    marginRight: Math.min(150, width / 3),
    marginTop: 28,
    x: { domain: [0, 1], axis: null },
    y: { domain: [Math.max(...ends) + 1, Math.min(...ends) - 1], axis: null },
    color: { type: "identity" },
    marks: [
      Plot.ruleY([at + 0.5], { stroke: "var(--accent)", strokeWidth: 2 }),
      Plot.link(rows, {
        ...{ x1: "x1", x2: "x2", y1: "y1", y2: "y2", stroke: toneOf },
        strokeWidth: 1.5,
        strokeOpacity: 0.8,
      }),
      Plot.text(lefts, {
        ...{ x: "x1", y: "y1", text: ({ before }: Slope) => tiedText(before) },
        ...{ textAnchor: "end", dx: -6, fill: "var(--ink-soft)" },
      }),
      Plot.text(rows, {
        x: "x2",
        y: "y2",
        text: label,
        textAnchor: "start",
        dx: 6,
        fill: "var(--ink)",
      }),
      Plot.text(
        [
          { x: 0, text: "Given" },
          { x: 1, text: "Now" },
        ],
        {
          ...{ x: "x", text: "text", frameAnchor: "top", dy: -18, fontWeight: 600 },
        },
      ),
    ],
  };
}
