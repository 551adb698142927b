// How sure a paper's place is, and what reviewers' strictness does to it, where the run was asked.
import { calibrationSentence, RESTS_ON_A_MODEL, sureSentence } from "../../../domain/surenessWords";
import { useRun } from "../context";
import { useTable } from "../useTable";

export function SureSentence({ paper }: { paper: number }) {
  const { run } = useRun();
  const { accept } = useTable().state;
  const sure = sureSentence(run, paper, accept);
  const calibrated = calibrationSentence(run, paper);
  const verdict = run.view.sureness?.calibration?.verdict;
  if (!sure && !calibrated) return null;
  return (
    <section className="card stack tight" aria-labelledby="how-sure">
      <h2 id="how-sure">How sure</h2>
      {sure && (
        <p>
          {sure} <span className="soft">{RESTS_ON_A_MODEL}</span>
        </p>
      )}
      {calibrated && (
        <p>
          {calibrated} <span className="soft">On the whole, {verdict}.</span>
        </p>
      )}
    </section>
  );
}
