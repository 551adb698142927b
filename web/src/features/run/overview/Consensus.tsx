// Whether consensus holds on this conference: how often it orders ties as hidden rankings do.
import { useRun } from "../context";
import { Section } from "./Section";

export function Consensus() {
  const { consensus } = useRun().run.view;
  if (!consensus) return null;
  return (
    <Section title="Does consensus hold here?">
      <p>{consensus}</p>
    </Section>
  );
}
