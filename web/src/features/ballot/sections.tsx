// The papers of a ballot that are placed, not placed yet, and set aside.
import type { ReactNode } from "react";

import { Button } from "../../components/buttons";
import { BallotRow } from "./BallotRow";
import type { Question } from "./contradictions";
import { useBallotContext } from "./ballotContext";
import { QuestionsAbout, AnswerHint } from "./ContradictionQuestion";
import { byScore, placedIn, type BallotSection } from "./ballotOrder";
import { UnplacedButtons, SkippedButtons, PlacedButtons } from "./RowButtons";
import type { BallotPaper } from "./ballotApi";
import { levelText } from "./words";

export function UnplacedSection({
  papers,
  questions,
  onScores,
}: {
  papers: BallotPaper[];
  questions: Question[]; // also about papers that are placed
  onScores(): void; // place all by their scores
}) {
  const context = useBallotContext();
  const { moves, options } = context;
  const groups = byScore(papers);
  const scored = groups.some(({ score }) => score !== null);
  const start = options.ties && options.top_k === null && scored && !placedIn(moves.shown).length;
  return (
    <Zone zone="unplaced" title={options.top_k === null ? "Not placed yet" : "Other papers"}>
      {start && (
        <div className="row">
          <Button onClick={onScores}>Start from my scores</Button>
          <span className="hint">Papers with the same score start tied; drag them apart.</span>
        </div>
      )}
      {papers.length === 0 && <p className="soft">All papers are placed.</p>}
      {groups.map((group) => (
        <div key={String(group.score)} className="ballot-group">
          {scored && (
            <h3 className="soft">
              {group.score === null ? "Without a score" : `You gave ${levelText(group.score)}`}
            </h3>
          )}
          <ul className="ballot-list">
            {group.papers.map(({ paper }) => (
              <BallotRow key={paper} paper={paper} buttons={<UnplacedButtons paper={paper} />}>
                <QuestionsAbout paper={paper} questions={questions} about={context} />
              </BallotRow>
            ))}
          </ul>
        </div>
      ))}
    </Zone>
  );
}

/** The papers that the reviewer cannot compare with the others. */
export function SkippedSection({ papers }: { papers: BallotPaper[] }) {
  return (
    <Zone zone="cannot_say" title="Cannot say">
      {papers.length === 0 && (
        <p className="soft">Papers that you cannot compare with the others. They are ignored.</p>
      )}
      {papers.length > 0 && (
        <ul className="ballot-list">
          {papers.map(({ paper }) => (
            <BallotRow key={paper} paper={paper} buttons={<SkippedButtons paper={paper} />} />
          ))}
        </ul>
      )}
    </Zone>
  );
}

/** The order of a ballot, best first, with the questions about it in place. */
export function PlacedSection({ questions }: { questions: Question[] }) {
  const context = useBallotContext();
  const { moves, options, papers } = context;
  const placed = placedIn(moves.shown);
  const most = options.top_k;
  const open = questions.filter(({ answer }) => !answer).length;
  return (
    <Zone
      zone="placed"
      title={most === null ? "Your order" : `Your best ${most}`}
      beside={
        <span className="soft">
          {placed.length} of {most ?? papers.size} placed
          {open > 0 && `, ${open} ${open === 1 ? "question" : "questions"}`}
        </span>
      }
    >
      {open > 0 && <AnswerHint />}
      {placed.length === 0 && (
        <p className="ballot-empty">
          Best first: press “Add next” on your best paper, then on the next best, or drag papers
          here.
        </p>
      )}
      {placed.length > 0 && (
        <ol className="ballot-list">
          {placed.map((paper) => (
            <BallotRow key={paper} paper={paper} buttons={<PlacedButtons paper={paper} />}>
              <QuestionsAbout paper={paper} questions={questions} about={context} />
            </BallotRow>
          ))}
        </ol>
      )}
    </Zone>
  );
}

/** A part of the ballot that papers can be dropped on. */
function Zone({
  zone,
  title,
  beside,
  children,
}: {
  zone: BallotSection;
  title: string;
  beside?: ReactNode;
  children: ReactNode;
}) {
  const { drag } = useBallotContext();
  const over = drag?.mark?.kind === (zone === "placed" ? "end" : zone);
  const id = `ballot-${zone}`;
  return (
    <section
      className={over ? "card ballot-zone drop-here" : "card ballot-zone"}
      aria-labelledby={id}
      data-zone={zone}
    >
      <div className="row spread">
        <h2 id={id}>{title}</h2>
        {beside}
      </div>
      {children}
    </section>
  );
}
