// What was proven of the scores, and whether consensus holds.
import { useMemo } from "react";

import { Card } from "../../../components/Card";
import { insideRange } from "../../../domain/bins";
import { bound, count, counted } from "../../../domain/format";
import { ROUNDING_RANGE, TERMS } from "../../../domain/glossary";
import { useRun } from "../context";

export function Certificate() {
  const { run } = useRun();
  const { certificate } = run.view.run;
  const outside = useMemo(() => insideRange(run.view, null).outside, [run]);
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
          ? `Rankings rule: ${count(outside)} of ${counted(run.reviews, "score")} outside the ${ROUNDING_RANGE} of the given one, all others inside it.`
          : `Every score lies in its ${ROUNDING_RANGE}.`}{" "}
        Every ranking that was used is kept{within}.
      </p>
    </Card>
  );
}

/** Whether consensus holds on this conference: how often it orders ties as hidden rankings do. */
export function Consensus() {
  const { consensus } = useRun().run.view;
  if (!consensus) return null;
  return (
    <Card look="tight" title="Does consensus hold here?">
      <p>{consensus}</p>
    </Card>
  );
}
