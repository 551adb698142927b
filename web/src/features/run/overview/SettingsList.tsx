// The settings that the chair chose.
import type { View } from "../../../api/types";
import { DefinitionList } from "../../../components/DefinitionList";
import { lambdaText, scoreText } from "../../../domain/format";
import { POLICIES, TERMS, UNRANKED, type Entry } from "../../../domain/glossary";
import { useRun } from "../context";
import { Section } from "./Section";

export function SettingsList() {
  const { view } = useRun().run;
  const { settings, lam } = view.run;
  return (
    <Section title="Settings">
      <DefinitionList
        className="pairs"
        items={[
          [TERMS.lambda.title, lambdaText(lam)],
          ["λ asked for", lambdaText(settings.lam)],
          [TERMS.epsilon.title, String(settings.epsilon)],
          ["Scale", scaleText(view)],
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
const scaleText = (view: View): string => {
  const { scale_origin } = view.run.settings;
  const levels = view.scale.levels.map((level) => scoreText(view, level)).join(", ");
  return scale_origin ? `${levels} (${scale_origin})` : levels;
};

/** "Refuse: stop and list …"; a value without an entry stays as it is. */
function explained(group: Partial<Record<string, Entry>>, name: string): string {
  const entry = group[name];
  return entry ? `${entry.title}: ${entry.text}` : name;
}
