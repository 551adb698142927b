// What a chair decides about the method, in a chair's words.
import { DraftInput } from "../../components/DraftInput";
import { RadioCards, type Card } from "../../components/RadioCards";
import { Switch } from "../../components/Switch";
import { LambdaChoice } from "./LambdaChoice";
import { mistakesIn, type Conflicts, type Settings, type Unranked } from "../../domain/importForm";

const POLICIES: readonly Card<Conflicts>[] = [
  {
    value: "refuse",
    title: "Refuse",
    words: "Stop and list every contradiction, to be settled with the reviewers first.",
  },
  {
    value: "scores",
    title: "Scores rule",
    words: "Comparisons that contradict their author’s scores are set aside; the rest counts.",
  },
  {
    value: "rankings",
    title: "Rankings rule",
    words: "The ranking stands; a score may leave its rounding range just as far as it needs.",
  },
];
const UNRANKED = [
  ["apart", "Stand apart"],
  ["below", "Stand below"],
] as const;
const UNRANKED_HINTS: Record<Unranked, string> = {
  apart: "Nothing is said about papers that a reviewer left out.",
  below: "Papers that a reviewer left out are below all that they ranked.",
};

export function MethodChoices({
  settings,
  levels,
  onChange,
}: {
  settings: Settings;
  levels: (number | string)[];
  onChange(changes: Partial<Settings>): void;
}) {
  const mistakes = mistakesIn(settings);
  return (
    <section className="card stack" aria-labelledby="choices">
      <h2 id="choices">Choices</h2>
      <RadioCards
        label="When a ranking contradicts its author’s scores"
        cards={POLICIES}
        value={settings.conflicts}
        onChange={(conflicts) => onChange({ conflicts })}
      />
      <LambdaChoice
        value={settings.lam}
        mistake={mistakes.lam}
        onChange={(lam) => onChange({ lam })}
      />
      <DraftInput
        label="Scale"
        value={settings.scale}
        placeholder={levels.join(", ")}
        hint={
          levels.length
            ? `Levels in use: ${levels.join(", ")}. If some were never given, list all, worst first.`
            : "Every level, worst first, such as 1,3,5,6,8,10 or D,C,B,A. Empty: as the files say."
        }
        onCommit={(scale) => onChange({ scale })}
      />
      <div className="two">
        <DraftInput
          label="Smallest gap ε"
          value={settings.epsilon}
          inputMode="decimal"
          narrow
          mistake={mistakes.epsilon}
          hint="Between two papers ranked apart, in steps of the scale."
          onCommit={(epsilon) => onChange({ epsilon })}
        />
        <DraftInput
          label="About the same within"
          value={settings.sameWithin}
          inputMode="decimal"
          narrow
          mistake={mistakes.sameWithin}
          placeholder="no bound"
          hint="For papers called about the same."
          onCommit={(sameWithin) => onChange({ sameWithin })}
        />
      </div>
      <div className="stack tight">
        <span className="label" aria-hidden="true">
          Papers that a reviewer did not rank
        </span>
        <div>
          <Switch
            label="Papers that a reviewer did not rank"
            options={UNRANKED}
            value={settings.unranked}
            onChange={(unranked) => onChange({ unranked })}
          />
        </div>
        <span className="hint">{UNRANKED_HINTS[settings.unranked]}</span>
      </div>
    </section>
  );
}
