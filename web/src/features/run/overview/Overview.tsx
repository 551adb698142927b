// The overview of a run on one screen: who is in, whom to ask first, how sure it is, who changes side.
// Everything else is folded.
import type { ReactNode } from "react";

import { Fold } from "../../../components/Card";
import { IssueList } from "../../../components/IssueList";
import { count, counted } from "../../../domain/format";
import { acceptText, sumText, type Line } from "../../../domain/line";
import { placesOf, tieBroken, type RankBy } from "../../../domain/places";
import { hasScores, statisticsOf, type View } from "../../../domain/run";
import { STATISTIC_WORDS, statisticName } from "../../../domain/glossary";
import { tieCounts } from "../../../domain/ties";
import { useRun } from "../context";
import { useTable, type Table } from "../useTable";
import { LineBar } from "../line/LineBar";
import { useLine } from "../line/useLine";
import { AskFirst } from "./AskFirst";
import { ChangedSides } from "./ChangedSides";
import { HowSure, Strictness } from "./HowSure";
import { HowToRead } from "./HowToRead";
import { Certificate, InputFiles, LambdaCard, SettingsList } from "./RunRecord";
import { AroundTheGiven, LargestMoves } from "./ScoreMoves";
import "./overview.css";

/** `swing` and `children`: how much one reviewer could swing, in a sentence and in full. */
export function Overview({ swing, children }: { swing?: ReactNode; children?: ReactNode }) {
  const { view } = useRun().run;
  const chair = view.viewer.role === "chair";
  const scores = hasScores(view);
  const table = useTable();
  const line = useLine(table);
  const { rankBy } = table;
  const { calibration = null, stability = null } = view.estimates ?? {};
  const issues = countIssues(view);
  const cases = issues.reduce((sum, kind) => sum + kind.count, 0);
  return (
    <div className="stack overview">
      {line ? <Headline line={line} rankBy={rankBy} /> : <LineBar table={table} line={null} />}
      <div className="overview-columns">
        <AskFirst line={line} rankBy={rankBy} />
        <HowSure line={line} rankBy={rankBy} swing={swing} />
      </div>
      <ChangedSides line={line} rankBy={rankBy} />
      <div>
        {children}
        <Ties table={table} />
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
        {scores && (
          <Fold title="Scores before and after" hint="How scores are spread, and what moved most">
            <AroundTheGiven />
            <LargestMoves />
          </Fold>
        )}
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
function Ties({ table: { rankBy } }: { table: Table }) {
  const { run } = useRun();
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
