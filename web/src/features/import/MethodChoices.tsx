// The settings of the method: contradictions, λ, scale, gaps, unranked papers.
import { useState } from "react";

import { Card, Details } from "../../components/Card";
import { Checkbox, RadioCards, SegmentedControl } from "../../components/choices";
import { DraftInput } from "../../components/fields";
import { optionsIn, POLICIES, UNRANKED, LAMBDA_CHOICES, lambdaChoice } from "../../domain/glossary";
import { mistakesIn, SETTING_NAMES, type ImportForm } from "../../domain/importForm";

export function MethodChoices({
  form,
  levels,
  onChange,
}: {
  form: ImportForm;
  levels: (number | string)[];
  onChange(changes: Partial<ImportForm>): void;
}) {
  const mistakes = mistakesIn(form);
  return (
    <Card title="One question">
      <RadioCards
        label="When a ranking contradicts its reviewer’s scores"
        cards={POLICIES}
        value={form.conflicts}
        onChange={(conflicts) => onChange({ conflicts })}
      />
      <p className="hint">
        Recommended: ask the reviewers first. If you cannot, trust the scores: a slip in a ranking
        then changes little, and single reviewers have less influence than if you trust the
        rankings.
      </p>
      <fieldset className="bare stack tight">
        <legend className="label">How sure</legend>
        <Checkbox checked={form.uncertainty} onChange={(uncertainty) => onChange({ uncertainty })}>
          {SETTING_NAMES.uncertainty} (seconds for 2,000 papers)
        </Checkbox>
        <Checkbox checked={form.calibrate} onChange={(calibrate) => onChange({ calibrate })}>
          {SETTING_NAMES.calibrate}
        </Checkbox>
        <span className="hint">
          Both rest on a model and leave the scores as they are. Only chairs see them.
        </span>
      </fieldset>
      <Details wanted={Object.keys(mistakes).length > 0}>
        <summary>Method (defaults are right for almost everybody)</summary>
        <div className="stack">
          <LambdaSetting
            value={form.lam}
            mistake={mistakes.lam}
            onChange={(lam) => onChange({ lam })}
          />
          <DraftInput
            label={SETTING_NAMES.scale}
            value={form.scale}
            placeholder={levels.join(", ")}
            hint={
              levels.length
                ? `Levels in use: ${levels.join(", ")}. If the scale has others, list all of them, worst first.`
                : "Every level, worst first, such as 1,3,5,6,8,10 or D,C,B,A. Leave empty to use the levels in the files."
            }
            onCommit={(scale) => onChange({ scale })}
          />
          <DraftInput
            label={SETTING_NAMES.epsilon}
            value={form.epsilon}
            inputMode="decimal"
            narrow
            mistake={mistakes.epsilon}
            hint="Between two papers ranked apart, in steps of the scale."
            onCommit={(epsilon) => onChange({ epsilon })}
          />
          <div className="stack tight">
            <span className="label" aria-hidden="true">
              Papers that a reviewer did not rank
            </span>
            <div>
              <SegmentedControl
                label="Papers that a reviewer did not rank"
                options={optionsIn(UNRANKED)}
                value={form.unranked}
                onChange={(unranked) => onChange({ unranked })}
              />
            </div>
            <span className="hint">{UNRANKED[form.unranked].text}</span>
          </div>
          <Checkbox
            checked={form.ignore_rankings}
            onChange={(ignore_rankings) => onChange({ ignore_rankings })}
          >
            {SETTING_NAMES.ignore_rankings}
          </Checkbox>
        </div>
      </Details>
    </Card>
  );
}

/** The setting for λ: chosen from the data, a number, or infinity. */
function LambdaSetting({
  value,
  mistake,
  onChange,
}: {
  value: string;
  mistake: string | undefined;
  onChange(value: string): void;
}) {
  const choice = lambdaChoice(value);
  const [last, setLast] = useState(choice === "given" ? value : "4");
  return (
    <div className="stack tight">
      <span className="label" aria-hidden="true">
        {SETTING_NAMES.lam}
      </span>
      <div>
        <SegmentedControl
          label={SETTING_NAMES.lam}
          options={optionsIn(LAMBDA_CHOICES)}
          value={choice}
          onChange={(next) => onChange(next === "given" ? last : next)}
        />
      </div>
      <span className="hint">{LAMBDA_CHOICES[choice].text}</span>
      {choice === "given" && (
        <DraftInput
          label="λ"
          value={value}
          inputMode="decimal"
          narrow
          mistake={mistake}
          onCommit={(next) => {
            setLast(next);
            onChange(next || last);
          }}
        />
      )}
    </div>
  );
}
