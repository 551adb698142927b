// The uncertainty of the result, where the run estimated it: intervals, grey zone, strictness, stability.
import type { ReactNode } from "react";

import { Card } from "../../../components/Card";
import { capitalized, count, counted, percent } from "../../../domain/format";
import { RESTS_ON_A_MODEL, medianWidth, type UncertaintyReport } from "../../../domain/uncertainty";
import type { ShownLine } from "../line/useLine";
import { useRun } from "../context";

export function UncertaintyCard({ line }: { line: ShownLine | null }) {
  const { estimates } = useRun().run.view;
  if (!estimates) return null;
  return (
    <Card look="tight" title="Uncertainty">
      {estimates.missing && <p role="note">Not computed: {estimates.missing}</p>}
      <Places uncertainty={estimates.uncertainty} line={line} />
      <Strictness calibration={estimates.calibration} />
      <Stability stability={estimates.stability} />
    </Card>
  );
}

const Hint = ({ children }: { children: ReactNode }) => <span className="hint">{children}</span>;

function Places({
  uncertainty,
  line,
}: {
  uncertainty: UncertaintyReport["uncertainty"];
  line: ShownLine | null;
}) {
  if (!uncertainty) return null;
  const { interval, draws, rhat, effective } = uncertainty;
  const width = counted(medianWidth(uncertainty), "place");
  return (
    <p>
      For half of the papers, {percent(interval).replace(".0", "")} of the plausible orders span{" "}
      {width} or fewer.{" "}
      {line?.chances
        ? `${counted(line.counts.grey, "paper")} in the grey zone: above the line in 10% to 90% of these orders.`
        : "Enter how many you accept to see which papers are in the grey zone."}{" "}
      {RESTS_ON_A_MODEL}{" "}
      <Hint>
        {count(draws)} draws, R-hat {rhat.toFixed(3)}, {count(Math.round(effective))} effective
        draws or more for 95% of the papers.
      </Hint>
    </p>
  );
}

function Strictness({ calibration }: { calibration: UncertaintyReport["calibration"] }) {
  if (!calibration) return null;
  const { verdict, caution, parts } = calibration;
  return (
    <p>
      {capitalized(verdict)}. Each paper’s page shows what strictness would change; the scores of
      this run do not include it.
      {caution && ` ${capitalized(caution)}.`}
      {parts > 1 &&
        ` ${count(parts)} parts of the conference share no reviewer: calibrated scores of different parts cannot be compared.`}
    </p>
  );
}

function Stability({ stability }: { stability: UncertaintyReport["stability"] }) {
  if (!stability) return null;
  const { share_of_pairs, draws, accept, caution, depends_on } = stability;
  const depends = depends_on?.filter(Boolean).length ?? 0;
  return (
    <p>
      When reviewers are drawn again ({count(draws)} times), the order of {percent(share_of_pairs)}{" "}
      of the pairs of papers stands.
      {accept !== null &&
        ` With ${count(accept)} accepted, the side of the line depends on λ, ε or the policy for ${counted(depends, "paper")}.`}
      {caution && ` ${capitalized(caution)}.`}
    </p>
  );
}
