// Histograms: given and dequantized scores on one axis, and scores inside their rounding range.
import * as Plot from "@observablehq/plot";
import { useCallback, useMemo, useState } from "react";

import { Card } from "../../../components/Card";
import {
  dequantizedBins,
  givenBins,
  insideRange,
  type Bin,
  type Inside,
} from "../../../domain/charts";
import { numberAt } from "../../../domain/run";
import { count, fixed, scoreLabel, scoreText } from "../../../domain/format";
import { Figure } from "../../../components/Figure";
import { useRun } from "../context";
import { SelectField } from "../../../components/choices";
import { ROUNDING_RANGE } from "../../../domain/glossary";

/** Given and dequantized scores on one axis. */
export function Distributions() {
  const { view } = useRun().run;
  const given = useMemo(() => givenBins(view), [view]);
  const dequantized = useMemo(() => dequantizedBins(view), [view]);
  const ends = useMemo(
    () => [...given, ...dequantized].flatMap(({ from, to }) => [from, to]),
    [given, dequantized],
  );
  const domain = useMemo(() => [Math.min(...ends), Math.max(...ends)], [ends]);
  const levels = view.scale.levels;
  const options = useCallback(
    (bins: Bin[], tone: "given" | "new", label: string, counts: boolean) => (width: number) => ({
      height: 190,
      marginBottom: 36,
      marginLeft: 48,
      marginRight: 12,
      // One tick per level while there is room for the labels.
      x: {
        domain,
        label,
        labelAnchor: "center" as const,
        ticks: width / levels.length > 24 ? levels : 6,
        tickFormat: tickOf,
      },
      y: { label: "Reviews", grid: true, ticks: 4 },
      marks: [
        Plot.rectY(bins, {
          x1: "from",
          x2: "to",
          y: "count",
          fill: `var(--${tone}-fill)`,
          inset: 0.25,
        }),
        Plot.ruleY([0]),
        counts && width / bins.length > LABEL_ROOM
          ? Plot.text(bins, {
              x: middle,
              y: "count",
              text: "count",
              dy: -7,
              fill: "var(--ink-soft)",
            })
          : null,
      ],
    }),
    [domain, levels],
  );
  const before = useMemo(() => options(given, "given", "Given score", true), [options, given]);
  const after = useMemo(
    () => options(dequantized, "new", "Dequantized", false),
    [options, dequantized],
  );
  return (
    <Card look="tight" title="Distributions">
      <Figure label={`Given scores: ${levelsText()}`} options={before} />
      <Figure
        label={`Dequantized scores: ${spreadText(view.reviews.dequantized)}`}
        options={after}
      />
      <p className="hint">Dequantized: {spreadText(view.reviews.dequantized)}.</p>
    </Card>
  );

  function levelsText(): string {
    return given
      .map(
        ({ count: size }, place) =>
          `${count(size)} at ${scoreLabel(view, numberAt(levels, place))}`,
      )
      .join(", ");
  }
}

const LABEL_ROOM = 36; // px for the number above a bar
const middle = ({ from, to }: Bin): number => (from + to) / 2;
const tickOf = (value: number) => String(Number(value.toFixed(2)));

/** "a quarter up to 4.123, half up to 5.012, three quarters up to 6.401" */
function spreadText(values: number[]): string {
  const ascending = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    fixed(ascending[Math.floor(share * (ascending.length - 1))] ?? Number.NaN, 3);
  return `a quarter up to ${at(0.25)}, half up to ${at(0.5)}, three quarters up to ${at(0.75)}`;
}

/** What happens inside a level: where scores lie in their rounding range. */
export function InsideLevels() {
  const { view } = useRun().run;
  const [level, setLevel] = useState<number | null>(null);
  const inside = useMemo(() => insideRange(view, level), [view, level]);
  const options = useCallback(() => plotOf(inside), [inside]);
  const { below, same, above, reach, outside } = inside;
  const text = `${count(below)} below the given score, ${count(same)} at it, ${count(above)} above`;
  return (
    <Card look="tight" title="Inside a level">
      <p className="hint">
        All reviews with the same given score stood on one point. Now{" "}
        {outside ? `all but ${count(outside)}` : "they"} lie inside its {ROUNDING_RANGE}: {text}.{" "}
        {reach < 0.5 && `The chart shows the middle ${200 * reach}% of the range.`}
      </p>
      <div className="level-choice no-print">
        <SelectField
          label="Given score"
          options={[
            ["", "All levels together"],
            ...view.scale.levels.map((each) => [String(each), scoreText(view, each)] as const),
          ]}
          value={String(level ?? "")}
          onChange={(chosen) => setLevel(chosen === "" ? null : Number(chosen))}
        />
      </div>
      <Figure label={`Scores inside their rounding range, ${text}`} options={options} />
    </Card>
  );
}

function plotOf({ bins, reach }: Inside): Plot.PlotOptions {
  const ends =
    reach === 0.5 ? ["lower end", "upper end"] : [`−${100 * reach}%`, `+${100 * reach}%`];
  return {
    height: 300,
    marginBottom: 36,
    marginLeft: 48,
    marginRight: 40,
    x: {
      domain: [-reach, reach],
      label: null,
      ticks: [-reach, 0, reach],
      tickFormat: (share: number) =>
        share === 0 ? "given score" : (ends[share < 0 ? 0 : 1] ?? ""),
    },
    y: { label: "Reviews", grid: true, ticks: 4 },
    marks: [
      Plot.rectY(bins, { x1: "from", x2: "to", y: "count", fill: "var(--new-fill)", inset: 0.25 }),
      Plot.ruleY([0]),
    ],
  };
}
