// What the chair chose.
import { useRun } from "../context";
import { DefinitionList } from "./Pairs";
import { Section } from "./Section";

const CONFLICTS: Record<string, string> = {
  refuse: "refuse: stop when a ranking contradicts its author's scores",
  scores: "scores: comparisons that contradict the scores are set aside",
  rankings: "rankings: the ranking stands, and cells open as far as it needs",
};

export function SettingsList() {
  const { settings, lam } = useRun().run.view.run;
  return (
    <Section title="Settings">
      <DefinitionList
        of={[
          ["λ asked for", settings.lam],
          ["λ used", lam === "inf" ? "∞" : String(lam)],
          ["ε, smallest gap between ranked papers", String(settings.epsilon)],
          ["Scale", settings.scale.join(", ")],
          ["Conflicts", CONFLICTS[settings.conflicts] ?? settings.conflicts],
          ["Unranked papers", settings.unranked],
          [
            "Papers said to be about the same",
            settings.same_within === null ? "no bound" : `within ${settings.same_within}`,
          ],
        ]}
      />
    </Section>
  );
}
