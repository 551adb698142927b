// Histograms: given and new scores on one axis, and new scores around the given one.
import { useMemo, useState } from "react";

import { Bars } from "../../../components/Chart";
import { dequantizedBins, givenBins, insideRange } from "../../../domain/charts";
import { numberAt } from "../../../domain/run";
import { count, fixed, scoreLabel, scoreText } from "../../../domain/format";
import { useRun } from "../context";
import { SelectField } from "../../../components/choices";
import { ROUNDING_RANGE } from "../../../domain/glossary";

/** Given and new scores on one axis. */
export function Distributions() {
  const { view } = useRun().run;
  const given = useMemo(() => givenBins(view), [view]);
  const dequantized = useMemo(() => dequantizedBins(view), [view]);
  const ends = [...given, ...dequantized].flatMap(({ from, to }) => [from, to]);
  const { levels } = view.scale;
  const every = Math.ceil(levels.length / 12);
  const x = {
    from: Math.min(...ends),
    to: Math.max(...ends),
    ticks: levels.filter((_, place) => place % every === 0),
    text: (level: number) => scoreLabel(view, level),
  };
  const counts = given.map(
    ({ count: size }, place) => `${count(size)} at ${scoreLabel(view, numberAt(levels, place))}`,
  );
  const spread = spreadText(view.reviews.dequantized);
  return (
    <section className="stack tight" aria-labelledby="distributions">
      <h3 id="distributions">Distributions</h3>
      <Bars label={`Given scores: ${counts.join(", ")}`} bins={given} tone="given" x={x} />
      <Bars label={`New scores: ${spread}`} bins={dequantized} tone="new" x={x} />
      <p className="hint">Given scores above, new scores below: {spread}.</p>
    </section>
  );
}

/** "a quarter up to 4.123, half up to 5.012, three quarters up to 6.401" */
function spreadText(values: number[]): string {
  const ascending = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    fixed(ascending[Math.floor(share * (ascending.length - 1))] ?? Number.NaN, 3);
  return `a quarter up to ${at(0.25)}, half up to ${at(0.5)}, three quarters up to ${at(0.75)}`;
}

/** Where new scores lie around the given one. */
export function AroundTheGiven() {
  const { view } = useRun().run;
  const [level, setLevel] = useState<number | null>(null);
  const inside = useMemo(() => insideRange(view, level), [view, level]);
  const { below, same, above, reach, outside } = inside;
  const text = `${count(below)} below the given score, ${count(same)} at it, ${count(above)} above`;
  const ends =
    reach === 0.5 ? ["lower end", "upper end"] : [`−${100 * reach}%`, `+${100 * reach}%`];
  return (
    <section className="stack tight" aria-labelledby="around-the-given">
      <h3 id="around-the-given">Where new scores lie around the given one</h3>
      <p className="hint">
        {outside
          ? `${count(outside)} lie outside the ${ROUNDING_RANGE}, because the rankings were trusted; all others inside it`
          : `All lie inside its ${ROUNDING_RANGE}`}
        : {text}. {reach < 0.5 && `The chart shows the middle ${200 * reach}% of the range.`}
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
      <Bars
        label={`New scores inside their rounding range, ${text}`}
        bins={inside.bins}
        tone="new"
        x={{
          from: -reach,
          to: reach,
          ticks: [-reach, 0, reach],
          text: (share) => (share === 0 ? "given score" : (ends[share < 0 ? 0 : 1] ?? "")),
        }}
      />
    </section>
  );
}
