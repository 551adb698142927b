// The cells of decisions and tags.
import { decisionOf, isImported, LABELS } from "../../../domain/decisions";
import { useRun } from "../context";
import "./decisions.css";

const TONES: Record<string, string> = { Accept: "good", Reject: "bad", Discuss: "warn" };

/** A decision; one of the import that nobody has taken over is pale. */
export function Decision({ paper }: { paper: number }) {
  const { run } = useRun();
  const label = decisionOf(run, paper);
  if (!label) return null;
  if (!run.marks) return label;
  if (isImported(run, paper))
    return (
      <span className="soft" title={`${label}, by the import`}>
        {label} <small>imported</small>
      </span>
    );
  const tone = LABELS.includes(label) ? TONES[label] : "";
  return (
    <span className={`badge ${tone}`} title={label}>
      {label}
    </span>
  );
}

export function Tags({ paper }: { paper: number }) {
  const { run } = useRun();
  const tags = run.marks?.tags[paper] ?? [];
  return (
    <span title={tags.join(" ")}>
      {tags.map((tag) => (
        <span key={tag} className="tag">
          {tag}{" "}
        </span>
      ))}
    </span>
  );
}
