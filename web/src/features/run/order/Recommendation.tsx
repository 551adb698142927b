// What an area chair recommends on a paper, and their note to the chairs.
import { DECISIONS } from "../../../domain/glossary";
import { useRun, useActions } from "../context";
import { NoteField } from "../decisions/PaperDecision";
import { SavedChoice } from "../decisions/SavedChoice";

const OPTIONS = [
  ["", "No recommendation"],
  ...DECISIONS.map((label) => [label, label] as const),
] as const;

export function RecommendationChoice({ paper }: { paper: number }) {
  const { run } = useRun();
  const actions = useActions();
  const id = String(run.view.papers.paper[paper]);
  const { of, save } = actions.recommending ?? {};
  const value = of?.(id)?.value ?? "";
  if (!save) return value || "–";
  return (
    <SavedChoice
      label={`Recommendation on paper ${id}`}
      text={value || "–"}
      change={actions.saving?.of("recommendation", id)}
      look="framed"
      options={OPTIONS}
      value={value}
      onChoose={(option) => save.value(id, option || null)}
    />
  );
}

export function RecommendationNote({
  paper,
  compact = false,
}: {
  paper: number;
  compact?: boolean;
}) {
  const { run } = useRun();
  const actions = useActions();
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
      unsaved={actions.saving?.of("note", id)}
      save={(text, before, leaving) => save.note(id, text, before, leaving)}
    />
  );
}
