// What the numbers mean and what not to do with them, for readers who have no documentation at hand.
import { uncertaintyOf } from "../../../domain/uncertainty";
import { useRun } from "../context";
import { settledBy } from "../line/useLine";
import { Fold } from "../../../components/Card";

export function HowToRead() {
  const { run } = useRun();
  const chair = run.view.viewer.role === "chair";
  return (
    <Fold title="Reading this page" hint="What places, ties and the line mean, and what not to do">
      <dl className="reading">
        <dt>A score</dt>
        <dd>
          Each review has a new score. Unless its reviewer contradicts themselves, it rounds to the
          given score and follows their ranking
          {run.view.run.lam !== "inf" && ", and it leans towards the paper’s other reviews"}. A 6
          that became 6.21 is still a 6.
        </dd>
        <dt>A place</dt>
        <dd>
          Where the paper stands among {chair ? "all papers" : "the papers that you see"} by one
          statistic, the mean unless you choose another. Where many papers lie close together, a few
          hundredths of a point can be many places.
        </dd>
        <dt>A tie</dt>
        <dd>
          A range such as 14–15 is a tie: the order of rows inside it means nothing. Ties by given
          scores are broken by {settledBy(run)}, never by chance. What nothing breaks stays tied.
        </dd>
        <dt>The line</dt>
        <dd>
          Enter how many papers you accept. Against plain means of the given scores, some papers
          stay in, some come in and some drop out. Papers that are still tied are for you to
          discuss, since no number here can help.
        </dd>
        {uncertaintyOf(run) && <ReadingUncertainty />}
        <dt>What not to do</dt>
        <dd>
          Do not accept or reject for a difference in the third decimal
          {uncertaintyOf(run) && ", or for the chance to be in alone"}. Do not try settings until a
          paper is in. Do not report these scores to authors as those that reviewers gave.
        </dd>
      </dl>
    </Fold>
  );
}

function ReadingUncertainty() {
  return (
    <>
      <dt>Plausible places, “In?”</dt>
      <dd>
        Under a model, the places and means that fit what reviewers said with a probability of 90%,
        and the chance that the paper belongs above the line. Papers between 10% and 90% are too
        close to call: spend your time there. The model knows no flaw that one reviewer found and
        the others overlooked.
      </dd>
    </>
  );
}
