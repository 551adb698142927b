// What area chairs may see beyond their own papers' reviews, and which runs.
import { patch } from "../../api/client";
import { Notice } from "../../components/Notice";
import { Toggle } from "../../components/Toggle";
import { useTask } from "../../app/useTask";
import type { Conference } from "../conferences/ConferenceFrame";
import { ShareToggle } from "../runs/ShareToggle";

export function VisibilitySettings({
  conference,
  changed,
}: {
  conference: Conference;
  changed(): void;
}) {
  const done = conference.runs.filter((run) => run.status === "done");
  return (
    <section className="card stack" aria-labelledby="visible">
      <h2 id="visible">What area chairs see</h2>
      <div className="stack tight">
        <Choice
          conference={conference}
          name="show_stars"
          label="Show ★ for papers outside the scope"
          hint="In a reviewer’s ranking, a star tells that another paper stands there, never which."
          changed={changed}
        />
        <Choice
          conference={conference}
          name="show_names"
          label="Show reviewers’ names to area chairs"
          hint="Otherwise they see the same pseudonym for a reviewer throughout a run."
          changed={changed}
        />
      </div>
      <div className="stack tight">
        <h3>Shared runs</h3>
        {!done.length && <p className="soft">No finished run yet.</p>}
        {done.map((run) => (
          <div className="row" key={run.id}>
            <ShareToggle id={run.id} name={run.name} shared={run.shared} changed={changed} />
            <span>{run.name}</span>
          </div>
        ))}
      </div>
    </section>
  );
}

function Choice({
  conference,
  name,
  label,
  hint,
  changed,
}: {
  conference: Conference;
  name: "show_stars" | "show_names";
  label: string;
  hint: string;
  changed(): void;
}) {
  const changing = useTask();
  return (
    <>
      <label className="row toggle-line">
        <Toggle
          label={label}
          describedBy={`${name}-hint`}
          checked={conference[name] ?? false}
          onChange={async (next) => {
            const ask = () => patch(`conferences/${conference.id}`, { [name]: next });
            const taken = await changing.run(ask);
            changed();
            return taken;
          }}
        />
        <span>
          {label}
          <span id={`${name}-hint`} className="hint">
            {hint}
          </span>
        </span>
      </label>
      {changing.problem && <Notice tone="bad">{changing.problem}</Notice>}
    </>
  );
}
