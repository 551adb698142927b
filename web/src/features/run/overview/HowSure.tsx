// How sure the result is: the chance to be in by place, and what one reviewer alone could do.
import { useMemo, type ReactNode } from "react";

import { Card } from "../../../components/Card";
import { Chart, Curve } from "../../../components/Chart";
import { capitalized, count, counted, percent } from "../../../domain/format";
import { reachOf, type Line } from "../../../domain/line";
import { orderOf, type RankBy } from "../../../domain/places";
import { numberAt, type Run } from "../../../domain/run";
import { IS_AN_ESTIMATE, uncertaintyOf, type UncertaintyReport } from "../../../domain/uncertainty";
import { useRun } from "../context";

/** `swing`: how much one reviewer could swing, where the server measures it. */
export function HowSure({
  line,
  rankBy,
  swing,
}: {
  line: Line | null;
  rankBy: RankBy;
  swing?: ReactNode;
}) {
  const { run } = useRun();
  const { estimates, groups } = run.view;
  const known = uncertaintyOf(run);
  if (!estimates && !swing && !groups) return null;
  return (
    <Card look="tight" title="How sure">
      {groups && <p role="note">{groups}</p>}
      {line?.chances && <ChanceByPlace line={line} rankBy={rankBy} />}
      {known && !line && (
        <p>Enter how many you accept to see which papers are too close to call.</p>
      )}
      {estimates?.missing && <p role="note">Not computed: {estimates.missing}</p>}
      {!known && (estimates || swing) && !estimates?.missing && (
        <p className="hint">
          This run did not estimate chances: tick “Chance of each paper to be in” for the next one.
        </p>
      )}
      {swing}
      {known && <p className="hint wide">{IS_AN_ESTIMATE}</p>}
    </Card>
  );
}

const POINTS = 200;

/** The mean chance of papers next to each other, by place, with the band of those too close to call. */
function chancePoints(run: Run, rankBy: RankBy, chances: Float64Array): [number, number][] {
  const order = [...orderOf(run, "dequantized", rankBy)].filter(
    (paper) => !Number.isNaN(numberAt(chances, paper)),
  );
  const size = Math.max(1, Math.ceil(order.length / POINTS));
  const points: [number, number][] = [];
  for (let start = 0; start < order.length; start += size) {
    const group = order.slice(start, start + size);
    const total = group.reduce((sum, paper) => sum + numberAt(chances, paper), 0);
    points.push([start + (group.length + 1) / 2, total / group.length]);
  }
  return points;
}

function ChanceByPlace({ line, rankBy }: { line: Line; rankBy: RankBy }) {
  const { run } = useRun();
  const { chances, places, accept, counts } = line;
  const points = useMemo(
    () => (chances ? chancePoints(run, rankBy, chances) : []),
    [run, rankBy, chances],
  );
  const reach = accept.perTrack ? null : reachOf(run, rankBy, line);
  const where = reach ? `, placed ${count(reach.first)} to ${count(reach.last)}` : "";
  const close =
    counts.close > 1
      ? `${count(counts.close)} papers${where}, have`
      : `${counts.close ? `1 paper${where},` : "No paper"} has`;
  const text = `Chance of being in, by place. ${close} a chance of 10% to 90%.`;
  return (
    <>
      <Chart
        label={text}
        height={120}
        x={{
          from: 1,
          to: Math.max(run.papers, 2),
          ticks: [...new Set([1, places, run.papers])],
          text: count,
        }}
        y={{ to: 1, ticks: [0, 0.5, 1], text: (share) => `${100 * share}%` }}
      >
        {(scales) => (
          <>
            {reach && (
              <rect
                className="chart-band"
                x={scales.x(reach.first)}
                width={scales.x(reach.last) - scales.x(reach.first)}
                y={scales.y(1)}
                height={scales.y(0) - scales.y(1)}
              />
            )}
            <Curve {...scales} points={points} />
            {!accept.perTrack && (
              <line
                className="chart-rule"
                x1={scales.x(places + 0.5)}
                x2={scales.x(places + 0.5)}
                y1={scales.y(1)}
                y2={scales.y(0)}
              />
            )}
          </>
        )}
      </Chart>
      <p>{text}</p>
    </>
  );
}

/** What strictness would change, and what holds when reviewers are drawn again. */
export function Strictness({
  calibration,
  stability,
}: Pick<UncertaintyReport, "calibration" | "stability">) {
  return (
    <>
      {calibration && (
        <p>
          {capitalized(calibration.verdict)}. Each paper’s page shows what strictness would change;
          the scores of this run do not include it.
          {calibration.caution && ` ${capitalized(calibration.caution)}.`}
          {calibration.parts > 1 &&
            ` ${count(calibration.parts)} parts of the conference share no reviewer: calibrated scores of different parts cannot be compared.`}
        </p>
      )}
      {stability && (
        <p>
          When reviewers are drawn again ({count(stability.draws)} times), the order of{" "}
          {percent(stability.share_of_pairs)} of the pairs of papers stands.
          {stability.accept !== null &&
            ` With ${count(stability.accept)} accepted, the side of the line depends on λ, ε or the policy for ${counted(stability.depends_on?.filter(Boolean).length ?? 0, "paper")}.`}
          {stability.caution && ` ${capitalized(stability.caution)}.`}
        </p>
      )}
    </>
  );
}
