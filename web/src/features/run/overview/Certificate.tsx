// The certificate in plain words.
import { bound } from "../../../domain/format";
import { useRun } from "../context";
import { Section } from "./Section";

export function Certificate() {
  const { max_error, max_violation } = useRun().run.view.run.certificate;
  return (
    <Section title="Certificate">
      <p>
        No score is further than {bound(max_error)} from the exact optimum; this was proven after
        the solve, without trusting the solver.
      </p>
      <p>
        {max_violation === 0
          ? "Every score lies in its cell, and every ranking that was used is kept."
          : `Every score lies in its cell, and every ranking that was used is kept, to within ${bound(max_violation)}.`}
      </p>
    </Section>
  );
}
