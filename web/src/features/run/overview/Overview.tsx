// The overview of a run on one screen: who is in, whom to ask first, how sure it is, who changes side.
// Everything else is folded.
import type { ReactNode } from "react";

import { Fold } from "../../../components/Card";
import { IssueList } from "../../../components/IssueList";
import { count, counted } from "../../../domain/format";
import { acceptText, sumText, type Line } from "../../../domain/line";
import { placesOf, tieBroken, type RankBy } from "../../../domain/places";
import { statisticsOf, type View } from "../../../domain/run";
import { STATISTIC_WORDS, statisticName } from "../../../domain/glossary";
import { tieCounts } from "../../../domain/digits";
import { useRun } from "../context";
import { useTable } from "../useTable";
import { LineBar } from "../line/LineBar";
import { AskFirst } from "./AskFirst";
import { ChangedSides } from "./ChangedSides";
import { HowSure, Strictness } from "./HowSure";
import { Certificate, InputFiles, LambdaCard, SettingsList } from "./RunRecord";
import { AroundTheGiven, LargestMoves } from "./ScoreMoves";
import { uncertaintyOf } from "../../../domain/uncertainty";
import { settledBy } from "../line/lineWords";
import "./overview.css";

/** `swing` and `children`: how much one reviewer could swing, in a sentence and in full. */
export function Overview({ swing, children }: { swing?: ReactNode; children?: ReactNode }) {
  const { view } = useRun().run;
  const chair = view.viewer.role === "chair";
  const { rankBy, line } = useTable();
  const { calibration = null, stability = null } = view.estimates ?? {};
  const issues = countIssues(view);
  const cases = issues.reduce((sum, kind) => sum + kind.count, 0);
  return (
    <div className="stack overview">
      {line ? <Headline line={line} rankBy={rankBy} /> : <LineBar />}
      <div className="overview-columns">
        <AskFirst line={line} rankBy={rankBy} />
        <HowSure line={line} rankBy={rankBy} swing={swing} />
      </div>
      <ChangedSides line={line} rankBy={rankBy} />
      <div>
        {children}
        <Ties />
        {view.diagnostics.length > 0 && (
          <Fold title="What the data say" hint={firstSentence(view.diagnostics[0] ?? "")}>
            {view.diagnostics.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </Fold>
        )}
        {(calibration || stability) && (
          <Fold title="Strict and lenient reviewers" hint={calibration?.verdict ?? ""}>
            <Strictness calibration={calibration} stability={stability} />
          </Fold>
        )}
        <Fold title="Scores before and after" hint="How scores are spread, and what moved most">
          <AroundTheGiven />
          <LargestMoves />
        </Fold>
        <Fold title="Issues" hint={cases ? counted(cases, "case") : "none"}>
          <IssueList counts={issues} issues={view.run.issues} settled />
        </Fold>
        <HowToRead />
        <Fold title="Files, method, proof" hint="How it was computed, checked and from which files">
          <div className="overview-columns">
            <div className="stack">
              <LambdaCard />
              <Certificate />
            </div>
            <div className="stack">
              <SettingsList />
              {chair && <InputFiles />}
            </div>
          </div>
        </Fold>
      </div>
    </div>
  );
}

/** How many cases there are of each kind; one issue may count many, where a long list was cut. */
function countIssues({ run: { issues } }: View) {
  return [...new Set(issues.map(({ kind }) => kind))].map((kind) => {
    const own = issues.filter((issue) => issue.kind === kind);
    return { kind, count: own.reduce((sum, one) => sum + one.count, 0), advice: "" };
  });
}

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;

/** "480 in: 442 as before, 4 from below; 4 drop out. Of 1,900 papers, compared with plain means." */
function Headline({ line, rankBy }: { line: Line; rankBy: RankBy }) {
  const { run } = useRun();
  const { counts, chances, accept } = line;
  const tracks = accept.perTrack ? `, ${acceptText(accept)} in each track` : "";
  return (
    <div>
      <p className="headline-first">{sumText(line)}.</p>
      <p className="soft">
        Of {counted(run.papers, "paper")}
        {tracks}, compared with plain {STATISTIC_WORDS[rankBy.statistic].plural}.
        {chances && ` For ${counted(counts.close, "paper")} the reviews cannot decide.`}
      </p>
    </div>
  );
}

/** How many papers were tied before, and how many are now. */
function Ties() {
  const { run } = useRun();
  const { rankBy } = useTable();
  const of = (mode: "given" | "dequantized") =>
    tieCounts(statisticsOf(run, mode, rankBy.statistic));
  const [before, after] = [of("given"), of("dequantized")];
  const places = placesOf(run, rankBy);
  const broken = [...run.reviewsOf.keys()].filter((paper) => tieBroken(places, paper)).length;
  return (
    <Fold
      title="Ties"
      hint={`${counted(before.tied, "paper")} tied before, ${count(after.tied)} now`}
    >
      <p>
        By {statisticName(rankBy.statistic)}, {counted(before.tied, "paper")} were tied with another
        by given scores, and {count(after.tied)} are now; the ties of {counted(broken, "paper")} are
        broken. There were {count(before.distinct)} different values, and there are{" "}
        {count(after.distinct)}. The run has {counted(run.papers, "paper")} and{" "}
        {counted(run.reviews, "review")} by {counted(run.view.reviewers.length, "reviewer")}.
      </p>
    </Fold>
  );
}

function HowToRead() {
  const { run } = useRun();
  const chair = run.view.viewer.role === "chair";
  return (
    <Fold title="Reading this page" hint="What places, ties and the line mean, and what not to do">
      <dl className="pairs">
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
