// How λ was chosen, with the error of every λ that was tried.
import { useMemo } from "react";

import { Card } from "../../../components/Card";
import { Chart, Curve } from "../../../components/Chart";
import { LAMBDA_REASONS, lambdaChoice, TERMS } from "../../../domain/glossary";
import { numberAt, type View } from "../../../domain/run";
import { useRun } from "../context";

interface Point {
  lam: number;
  error: number;
}

const short = (value: number) => String(Number(value.toPrecision(3)));

function pointsOf({ run }: View): Point[] {
  const { lam = [], error = [] } = run.selection ?? {};
  return lam
    .map((value, place) => ({ lam: value, error: numberAt(error, place) }))
    .filter(
      ({ lam: value, error: size }) => value > 0 && Number.isFinite(value) && Number.isFinite(size),
    )
    .sort((a, b) => a.lam - b.lam);
}

export function ValidationCurve() {
  const { view } = useRun().run;
  const points = useMemo(() => pointsOf(view), [view]);
  const chosen = view.run.lam;
  return (
    <Card look="tight" title={TERMS.lambda.title}>
      <p className="hint">{TERMS.lambda.text}</p>
      <p>{lambdaSentence(view, points.length)}</p>
      {points.length > 1 && <ErrorCurve points={points} chosen={chosen} />}
      {points.length > 1 && <p className="hint">{curveText(points)}</p>}
    </Card>
  );
}

/** The error of each λ on a logarithmic axis, with the one that was chosen. */
function ErrorCurve({ points, chosen }: { points: Point[]; chosen: View["run"]["lam"] }) {
  const across = points.map(({ lam }) => Math.log10(lam));
  const errors = points.map(({ error }) => error);
  const [from, to] = [Math.min(...across), Math.max(...across)];
  const [least, most] = [Math.min(...errors), Math.max(...errors)];
  return (
    <Chart
      label={`Validation curve. ${curveText(points)}`}
      x={{ from, to, ticks: [from, (from + to) / 2, to], text: (tick) => short(10 ** tick) }}
      y={{ from: least, to: most, ticks: [least, most], text: short }}
    >
      {(scales) => (
        <>
          <Curve {...scales} points={points.map(({ lam, error }) => [Math.log10(lam), error])} />
          {points.map(({ lam, error }) => (
            <circle
              key={lam}
              className={lam === chosen ? "chart-new" : "chart-given"}
              cx={scales.x(Math.log10(lam))}
              cy={scales.y(error)}
              r={lam === chosen ? 5 : 3}
            />
          ))}
        </>
      )}
    </Chart>
  );
}

function lambdaSentence({ run, disclosure }: View, tried: number): string {
  if (run.lam === null) return "There is no review to compute anything from.";
  const lam = run.lam === "inf" ? "∞" : short(run.lam);
  if (disclosure === "order") return `λ is about ${lam}.`;
  const choice = lambdaChoice(run.settings.lam);
  if (!run.selection || choice === "given" || choice === "inf")
    return `λ = ${lam}, as the chair chose.`;
  if (run.lam === "inf")
    return "λ = ∞: nothing in the data decides λ, so scores move only as far as the rankings ask.";
  return `λ = ${lam}, ${LAMBDA_REASONS[choice]}: of ${tried} values tried, this one restored the known scores best.`;
}

function curveText(points: Point[]): string {
  const [first, last] = [points[0], points.at(-1)];
  const best = points.reduce((least, point) => (point.error < least.error ? point : least));
  if (!first || !last) return "";
  return `Error ${short(first.error)} at λ = ${short(first.lam)}, least ${short(best.error)} at λ = ${short(best.lam)}, ${short(last.error)} at λ = ${short(last.lam)}.`;
}
