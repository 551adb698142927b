// λ: chosen from the data, given as a number, or without end.
import { useState } from "react";

import { DraftInput } from "../../components/DraftInput";
import { Switch } from "../../components/Switch";

const KINDS = [
  ["auto", "Auto"],
  ["auto+", "Auto+"],
  ["number", "Number"],
  ["inf", "Infinity"],
] as const;
type Kind = (typeof KINDS)[number][0];
const HINTS: Record<Kind, string> = {
  auto: "Chosen from your data: scores are rounded once more, and the λ that restores them best is taken.",
  "auto+": "Chosen by simulating your conference: often closer, and slower.",
  number: "Large: scores stay near what was given. Small: they follow the other reviewers.",
  inf: "Other reviewers do not count at all: scores move only as rankings ask.",
};

export function LambdaChoice({
  value,
  mistake,
  onChange,
}: {
  value: string;
  mistake: string | undefined;
  onChange(value: string): void;
}) {
  const kind: Kind = KINDS.some(([known]) => known === value) ? (value as Kind) : "number";
  const [last, setLast] = useState(kind === "number" ? value : "4");
  return (
    <div className="stack tight">
      <span className="label" aria-hidden="true">
        Weight λ of the given scores
      </span>
      <div>
        <Switch
          label="Weight λ of the given scores"
          options={KINDS}
          value={kind}
          onChange={(next) => onChange(next === "number" ? last : next)}
        />
      </div>
      <span className="hint">{HINTS[kind]}</span>
      {kind === "number" && (
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
