// What was proven, in plain words.
import { bound } from "../../../domain/format";
import { ROUNDING_RANGE, TERMS } from "../../../domain/glossary";
import { useRun } from "../context";
import { Section } from "./Section";

export function Certificate() {
  const { certificate } = useRun().run.view.run;
  if (!certificate) return null;
  const { max_error, max_violation } = certificate;
  const within = max_violation === 0 ? "" : `, to within ${bound(max_violation)}`;
  return (
    <Section title="Certificate">
      <p>
        {TERMS.checked.title} {bound(max_error)}. {TERMS.checked.text}
      </p>
      <p>
        Every score lies in its {ROUNDING_RANGE}, and every ranking that was used is kept{within}.
      </p>
    </Section>
  );
}
