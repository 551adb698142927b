// The setting for λ: chosen from the data, a number, or infinity.
import { useState } from "react";

import { DraftInput } from "../../components/DraftInput";
import { Switch } from "../../components/Switch";
import { LAMBDA_CHOICES, lambdaChoice, namesIn } from "../../domain/glossary";

const OPTIONS = namesIn(LAMBDA_CHOICES).map(
  (choice) => [choice, LAMBDA_CHOICES[choice].title] as const,
);

export function LambdaSetting({
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
        Weight λ of the given scores
      </span>
      <div>
        <Switch
          label="Weight λ of the given scores"
          options={OPTIONS}
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
