// The ballot as a list: the order, the papers not placed yet, and those the reviewer cannot judge.
import { useMemo } from "react";
import { flushSync } from "react-dom";
import type { ReactNode } from "react";

import { KEYS, levelText } from "./words";
import { contradictionsIn, questionsFrom, withLiveAnswers } from "./contradictions";
import { BallotContext, nameIn, useBallotContext, type BallotContextValue } from "./ballotContext";
import { fromScores, byScore, placedIn, type BallotSection } from "./ballotOrder";
import type { Ballot, BallotContent, BallotPaper } from "./useBallot";
import { useDrag, type Drag } from "./useDrag";
import { handleId, useMoves } from "./useMoves";
import { Button } from "../../components/buttons";
import { BallotRow, UnplacedButtons, SkippedButtons, PlacedButtons } from "./BallotRow";
import type { Question } from "./contradictions";
import { QuestionsAbout, AnswerHint } from "./ContradictionQuestion";

export function ListBallot({
  ballot: { papers, collection },
  content,
  onChange,
}: {
  ballot: Ballot;
  content: BallotContent;
  onChange(content: BallotContent): void;
}) {
  const { options, levels } = collection;
  const known = useMemo(() => new Map(papers.map((each) => [each.paper, each])), [papers]);
  const nameOf = (paper: string) => nameIn(known, paper);
  const pairsIn = (some: BallotContent) => contradictionsIn(some, known, levels, options.top_k);
  const change = (next: BallotContent) => onChange(withLiveAnswers(next, pairsIn(next)));
  const moves = useMoves({
    content,
    options,
    nameOf,
    contradicts: (some, paper) =>
      pairsIn(some).some(({ above, below }) => above === paper || below === paper),
    onChange: change,
  });
  const { drag, handlers } = useDrag({
    order: moves.shown,
    ties: options.ties,
    onDrop: moves.move,
  });
  const context: BallotContextValue = {
    papers: known,
    options,
    levels,
    content,
    change,
    moves,
    drag,
    handlers,
  };
  const questions = questionsFrom(pairsIn(moves.shown), moves.shown.answers);
  const free = papers.filter(({ paper }) => moves.shown.unplaced.includes(paper));
  const skipped = papers.filter(({ paper }) => moves.shown.cannot_say.includes(paper));
  return (
    <BallotContext value={context}>
      <p id="ballot-keys" className={moves.held ? "ballot-keys raised" : "visually-hidden"}>
        {KEYS}
      </p>
      <div role="status" aria-live="assertive" className="visually-hidden">
        {moves.words}
      </div>
      <div className="columns ballot-columns">
        <PlacedSection questions={questions} />
        <div className="stack">
          <UnplacedSection
            papers={free}
            questions={questions}
            onScores={() => {
              const next = fromScores(content, papers);
              flushSync(() => change(next)); // the button goes: focus the best paper
              document.getElementById(handleId(next.groups[0]?.[0] ?? ""))?.focus();
            }}
          />
          {options.may_skip && <SkippedSection papers={skipped} />}
        </div>
      </div>
      {drag && <DragShadow drag={drag} />}
    </BallotContext>
  );
}

/** The paper under the pointer, and where it would go. */
function DragShadow({ drag: { paper, x, y, mark } }: { drag: Drag }) {
  const { papers } = useBallotContext();
  return (
    <div className="ballot-shadow raised" style={{ left: x, top: y }} aria-hidden="true">
      <span className="strong">{paper}</span> {papers.get(paper)?.title}
      {mark?.kind === "with" && <span className="badge">same as {mark.paper}</span>}
    </div>
  );
}

function UnplacedSection({
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
        <div key={String(group.score)} className="stack tight ballot-group">
          {scored && (
            <h3 className="soft">
              {group.score === null ? "Without a score" : `You gave ${levelText(group.score)}`}
            </h3>
          )}
          <ul className="bare">
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
function SkippedSection({ papers }: { papers: BallotPaper[] }) {
  return (
    <Zone zone="cannot_say" title="Cannot say">
      {papers.length === 0 && (
        <p className="soft">Papers that you cannot compare with the others. They are ignored.</p>
      )}
      {papers.length > 0 && (
        <ul className="bare">
          {papers.map(({ paper }) => (
            <BallotRow key={paper} paper={paper} buttons={<SkippedButtons paper={paper} />} />
          ))}
        </ul>
      )}
    </Zone>
  );
}

/** The order of a ballot, best first, with the questions about it in place. */
function PlacedSection({ questions }: { questions: Question[] }) {
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
        <ol className="bare">
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
      className={over ? "card stack ballot-zone drop-here" : "card stack ballot-zone"}
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
