// What an area chair recommends on a paper, and their note to the chairs.
import { useState } from "react";

import { Select } from "../../../components/choices";
import { InlineError } from "../../../components/Notice";
import { DECISIONS } from "../../../domain/glossary";
import { useRun } from "../context";
import { NoteField } from "../decisions/PaperDecision";

const OPTIONS = [["", "–"], ...DECISIONS.map((label) => [label, label] as const)] as const;

export function RecommendationSelect({ paper }: { paper: number }) {
  const { run, actions } = useRun();
  const id = String(run.view.papers.paper[paper]);
  const { of, save } = actions.recommending ?? {};
  const said = of?.(id);
  const [error, setError] = useState<Error | null>(null);
  if (!save) return said?.value ?? "–";
  const choose = (value: string) => {
    setError(null);
    save(id, value || null, said?.note ?? "").catch(setError);
  };
  return (
    <>
      <Select
        aria-label={`Recommendation on paper ${id}`}
        look={said?.value ? "chosen" : ""}
        options={OPTIONS}
        value={said?.value ?? ""}
        onChange={choose}
      />
      <InlineError error={error} />
    </>
  );
}

export function RecommendationNote({
  paper,
  compact = false,
}: {
  paper: number;
  compact?: boolean;
}) {
  const { run, actions } = useRun();
  const id = String(run.view.papers.paper[paper]);
  const { of, save } = actions.recommending ?? {};
  const said = of?.(id);
  if (!save) return <span className="pre-line">{said?.note}</span>;
  return (
    <NoteField
      key={id}
      label={compact ? `Note to the chairs on paper ${id}` : "Note to the chairs"}
      compact={compact}
      note={said?.note ?? ""}
      save={(text) => save(id, said?.value ?? null, text)}
    />
  );
}
