// What happens inside a level: where scores lie in their rounding range.
import * as Plot from "@observablehq/plot";
import { useCallback, useMemo, useState } from "react";

import { Card } from "../../../components/Card";
import { SelectField } from "../../../components/choices";
import { Figure } from "../../../components/Figure";
import { insideRange, type Inside } from "../../../domain/bins";
import { count, scoreText } from "../../../domain/format";
import { ROUNDING_RANGE } from "../../../domain/glossary";
import { useRun } from "../context";

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
