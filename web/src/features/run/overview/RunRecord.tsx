// The record of a run: how λ was chosen, what was proven, its settings, files and versions.
import { useMemo } from "react";

import { Card } from "../../../components/Card";
import { DataTable } from "../../../components/DataTable";
import { Lines } from "../../../components/Notice";
import { DefinitionList } from "../../../components/tables";
import { useRun } from "../context";
import type { View } from "../../../api/schema";
import { bound, count, counted } from "../../../domain/format";
import { lambdaChoice, LAMBDA_REASONS, ROUNDING_RANGE, TERMS } from "../../../domain/glossary";
import { numberAt } from "../../../domain/run";
import { settingsOf, outsideCount } from "../../../domain/sentences";

/** The settings that the chair chose, and when it was computed. */
export function SettingsList() {
  const { view } = useRun().run;
  const finished = view.finished?.slice(0, 16).replace("T", " ");
  return (
    <Card look="tight" title="Settings">
      <DefinitionList
        className="pairs"
        items={[
          ...settingsOf(view),
          ...(finished ? [["Finished", `${finished} UTC`] as const] : []),
          [
            "Versions",
            Object.entries(view.run.versions ?? {})
              .flat()
              .join(" "),
          ],
        ]}
      />
    </Card>
  );
}

/** The input files, what was recognised in them, and what was assumed or left out. For chairs. */
export function InputFiles() {
  const { inputs = [], read = [] } = useRun().run.view.run;
  if (!inputs.length && !read.length) return null;
  return (
    <Card look="tight" title="Files">
      <DataTable
        label="Input files"
        rows={inputs}
        keyOf={({ file }) => file}
        columns={[
          { head: "File", cell: ({ file }) => file, names: true },
          { head: "SHA-256", cell: ({ sha256 }) => sha256, look: "mono wrap" },
        ]}
      />
      <Lines lines={read} look="soft" />
    </Card>
  );
}

/** What was proven of the scores. */
export function Certificate() {
  const { run } = useRun();
  const { certificate } = run.view.run;
  const outside = useMemo(() => outsideCount(run.view), [run]);
  if (!certificate) return null;
  const { max_error, max_violation } = certificate;
  const within = max_violation === 0 ? "" : `, to within ${bound(max_violation)}`;
  return (
    <Card look="tight" title="Certificate">
      <p>
        {TERMS.checked.title} {bound(max_error)}. {TERMS.checked.text}
      </p>
      <p>
        {outside
          ? `Trust the rankings: ${count(outside)} of ${counted(run.reviews, "score")} lie outside the ${ROUNDING_RANGE} of the given score, all others inside it.`
          : `Every score lies in its ${ROUNDING_RANGE}.`}{" "}
        Every ranking that was used holds{within}.
      </p>
    </Card>
  );
}

/** How λ was chosen, and the errors of those that were tried. */
export function LambdaCard() {
  const { view } = useRun().run;
  const setting = view.run.settings.lam ?? "";
  const { lam = [], error = [] } = view.run.selection ?? {};
  const tried = lam
    .map((value, index) => ({ lam: value, error: numberAt(error, index) }))
    .filter((one) => one.lam > 0 && Number.isFinite(one.lam) && Number.isFinite(one.error))
    .sort((a, b) => a.lam - b.lam);
  const best = tried.toSorted((a, b) => a.error - b.error)[0];
  const shown = [tried[0], best, tried.at(-1)].flatMap((one) => one ?? []);
  return (
    <Card look="tight" title={TERMS.lambda.title}>
      <p className="hint">{TERMS.lambda.text}</p>
      <p>{lambdaSentence(view, setting, tried.length)}</p>
      {tried.length > 1 && (
        <p className="hint">
          Errors: {shown.map((one) => `${short(one.error)} at λ = ${short(one.lam)}`).join(", ")}.
        </p>
      )}
    </Card>
  );
}

const short = (value: number) => String(Number(value.toPrecision(3)));

function lambdaSentence({ run }: View, setting: string, tried: number): string {
  if (run.lam === null) return "There is no review to compute anything from.";
  const lam = run.lam === "inf" ? "∞" : short(run.lam);
  const choice = lambdaChoice(setting);
  if (!run.selection || choice === "given" || choice === "inf")
    return `λ = ${lam}, as the chair chose.`;
  if (run.lam === "inf")
    return "λ = ∞: nothing in the data decides λ, so scores move only as far as the rankings ask.";
  return `λ = ${lam}, ${LAMBDA_REASONS[choice]}: of ${tried} values tried, this one restored the known scores best.`;
}
