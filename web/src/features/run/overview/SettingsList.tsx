// The settings that the chair chose.
import type { View } from "../../../api/types";
import { DefinitionList } from "../../../components/DefinitionList";
import { lambdaText } from "../../../domain/format";
import { POLICIES, UNRANKED, type Entry } from "../../../domain/glossary";
import { useRun } from "../context";
import { Section } from "./Section";

export function SettingsList() {
  const { settings, lam } = useRun().run.view.run;
  return (
    <Section title="Settings">
      <DefinitionList
        className="pairs"
        items={[
          ["λ asked for", lambdaText(settings.lam)],
          ["λ used", lam === "inf" ? "∞" : String(lam)],
          ["ε, smallest gap between ranked papers", String(settings.epsilon)],
          ["Scale", scaleText(settings)],
          ["Contradictions", explained(POLICIES, settings.conflicts)],
          ["Unranked papers", explained(UNRANKED, settings.unranked)],
          [
            "Papers said to be about the same",
            settings.same_within === null ? "no bound" : `within ${settings.same_within}`,
          ],
        ]}
      />
    </Section>
  );
}

/** Every level, and for chairs where the scale came from. */
const scaleText = ({ scale, scale_origin }: View["run"]["settings"]): string =>
  scale_origin ? `${scale.join(", ")} (${scale_origin})` : scale.join(", ");

/** "Refuse: stop and list …"; a value without an entry stays as it is. */
function explained(group: Partial<Record<string, Entry>>, name: string): string {
  const entry = group[name];
  return entry ? `${entry.title}: ${entry.text}` : name;
}
