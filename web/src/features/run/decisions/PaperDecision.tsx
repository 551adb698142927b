// What the chairs say of one paper: its decision, tags and note, and who changed them when.
import { decisionOf, isImported, labelsOf } from "../../../domain/decisions";
import { useRun } from "../context";
import { NoteField } from "./NoteField";
import { OwnWord } from "./OwnWord";
import { PaperHistory } from "./PaperHistory";
import { useMarkChange } from "./useMarkChange";
import "./decisions.css";

export function PaperDecision({ paper }: { paper: number }) {
  const { run, actions } = useRun();
  const change = useMarkChange();
  const { marks } = run;
  if (!marks || !actions.marking) return null;
  const id = String(run.view.papers.paper[paper]);
  const decision = marks.decision[paper] ?? null;
  const tags = marks.tags[paper] ?? [];
  const { told, make } = change;
  const decide = (label: string | null) =>
    make(label ?? "Decision taken away", (marking) => marking.decide([id], label));
  return (
    <section className="card stack tight paper-marks no-print" aria-labelledby="paper-marks">
      <h2 id="paper-marks">Decision, tags and note</h2>
      <div className="row end">
        <label className="labelled">
          <span>Decision</span>
          <select
            className="select"
            value={decision ?? ""}
            onChange={(event) => decide(event.target.value || null)}
          >
            <option value="">No decision</option>
            {labelsOf(run).map((label) => (
              <option key={label}>{label}</option>
            ))}
          </select>
        </label>
        <OwnWord label="A decision of your own" action="Decide" onWord={decide} />
        {isImported(run, paper) && (
          <span className="hint">By the import: {decisionOf(run, paper)}</span>
        )}
        <ul className="tag-list" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag} className="tag">
              {tag}
              <button
                type="button"
                aria-label={`Remove the tag ${tag}`}
                onClick={() => make(`−${tag}`, (marking) => marking.tag([id], [], [tag]))}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
        <OwnWord
          label="A new tag"
          action="Add"
          oneWord
          onWord={(tag) => make(`+${tag}`, (marking) => marking.tag([id], [tag], []))}
        />
      </div>
      {told?.error && (
        <p role="alert" className="bad-text">
          {told.text}
        </p>
      )}
      <NoteField key={id} id={id} note={marks.note[paper] ?? ""} marking={actions.marking} />
      <PaperHistory
        key={`history ${id}`}
        id={id}
        version={marks.version}
        marking={actions.marking}
      />
      <p className="hint">Kept with the conference for all its runs. Only chairs see this.</p>
    </section>
  );
}
