// The distributions of given and dequantized scores on one axis.
import * as Plot from "@observablehq/plot";
import { useCallback, useMemo } from "react";

import { Card } from "../../../components/Card";
import { dequantizedBins, givenBins, type Bin } from "../../../domain/bins";
import { numberAt } from "../../../domain/run";
import { count, fixed, scoreLabel } from "../../../domain/format";
import { Figure } from "../../../components/Figure";
import { useRun } from "../context";

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
