// How λ was chosen, with the error of every λ that was tried.
import * as Plot from "@observablehq/plot";
import { useCallback, useMemo } from "react";

import { Card } from "../../../components/Card";
import { LAMBDA_REASONS, lambdaChoice, TERMS } from "../../../domain/glossary";
import { numberAt, type View } from "../../../domain/run";
import { Figure } from "../../../components/Figure";
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
  const options = useCallback(
    () => ({
      height: 200,
      marginBottom: 36,
      marginLeft: 52,
      x: {
        type: "log" as const,
        label: "λ",
        labelAnchor: "center" as const,
        ticks: 6,
        tickFormat: short,
      },
      y: { label: "Error", grid: true, ticks: 4, zero: false, nice: true },
      marks: [
        typeof chosen === "number"
          ? Plot.ruleX([chosen], { stroke: "var(--new)", strokeDasharray: "3 3" })
          : null,
        Plot.line(points, { x: "lam", y: "error", stroke: "var(--given)", strokeWidth: 1.5 }),
        Plot.dot(points, {
          x: "lam",
          y: "error",
          r: (point: Point) => (point.lam === chosen ? 6 : 3),
          fill: (point: Point) => (point.lam === chosen ? "var(--new)" : "var(--given)"),
        }),
      ],
      r: { type: "identity" as const },
      color: { type: "identity" as const },
    }),
    [points, chosen],
  );
  return (
    <Card look="tight" title={TERMS.lambda.title}>
      <p className="hint">{TERMS.lambda.text}</p>
      <p>{lambdaSentence(view, points.length)}</p>
      {points.length > 1 && (
        <Figure label={`Validation curve. ${curveText(points)}`} options={options} />
      )}
      {points.length > 1 && <p className="hint">{curveText(points)}</p>}
    </Card>
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
