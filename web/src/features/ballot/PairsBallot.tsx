// The ballot as questions: one pair at a time, until the order is settled or the reviewer stops.
import { useEffect } from "react";

import { Button } from "../../components/buttons";
import { useLatestCallback } from "../../components/browser";
import type { Ballot, BallotContent, BallotPaper, PairOutcome } from "./useBallot";
import { questionsFrom } from "./contradictions";
import { AnswerHint, ContradictionQuestion } from "./ContradictionQuestion";
import { nameIn } from "./ballotContext";
import { levelText } from "./words";

export function PairsBallot({
  ballot: { next_pair: pair, collection, contradictions },
  content,
  papers,
  waiting,
  onChange,
}: {
  ballot: Ballot;
  content: BallotContent;
  papers: ReadonlyMap<string, BallotPaper>;
  waiting: boolean; // the last answer has not been confirmed: the next pair is not known
  onChange(content: BallotContent): void;
}) {
  const { options } = collection;
  const answers = content.comparisons;
  const answer = (outcome: PairOutcome) => {
    if (!pair || waiting) return;
    const { first, second } = pair;
    onChange({ ...content, comparisons: [...answers, { first, second, outcome }] });
  };
  const back = () => !waiting && onChange({ ...content, comparisons: answers.slice(0, -1) });
  const questions = questionsFrom(contradictions, content.answers);
  useArrows(answer);
  return (
    <section className="card stack" aria-labelledby="pair">
      <div className="row spread">
        <h2 id="pair">{pair ? "Which one is better?" : "No more questions"}</h2>
        <span className="soft" role="status">
          {progressText(answers.length, pair?.left ?? 0)}
          {pair && (
            <span className="visually-hidden">
              . {nameIn(papers, pair.first)}, or {nameIn(papers, pair.second)}?
            </span>
          )}
        </span>
      </div>
      {pair ? (
        <>
          <progress
            aria-label="Questions answered"
            value={pair.done}
            max={Math.max(1, pair.done + pair.left)}
          />
          <div className="columns ballot-pair">
            <Choice
              paper={pair.first}
              papers={papers}
              busy={waiting}
              onChoose={() => answer("first")}
            />
            <Choice
              paper={pair.second}
              papers={papers}
              busy={waiting}
              onChoose={() => answer("second")}
            />
          </div>
        </>
      ) : (
        <p>Your answers settle the order as far as they can. Hand it in, or take an answer back.</p>
      )}
      {questions.some(({ answer: given }) => !given) && <AnswerHint />}
      {questions.map((question) => (
        <ContradictionQuestion
          key={`${question.side} ${question.paper} ${question.others.join(" ")}`}
          question={question}
          about={{ papers, content, levels: collection.levels, change: onChange }}
        />
      ))}
      <div className="row">
        {pair && options.ties && (
          <Button aria-disabled={waiting} onClick={() => answer("tie")}>
            About the same
          </Button>
        )}
        {pair && options.may_skip && (
          <Button aria-disabled={waiting} onClick={() => answer("skip")}>
            Cannot say
          </Button>
        )}
        <Button look="quiet" disabled={!answers.length} aria-disabled={waiting} onClick={back}>
          Take the last answer back
        </Button>
      </div>
    </section>
  );
}

function Choice({
  paper,
  papers,
  busy,
  onChoose,
}: {
  paper: string;
  papers: ReadonlyMap<string, BallotPaper>;
  busy: boolean;
  onChoose(): void;
}) {
  const { title = null, score = null } = papers.get(paper) ?? {};
  return (
    // Not `disabled`, which would take the focus away after every answer.
    <button type="button" className="ballot-choice" aria-disabled={busy} onClick={onChoose}>
      <span dir="auto">
        <span className="strong">{paper}</span> {title}
      </span>
      {score !== null && <span className="soft">You gave {levelText(score)}</span>}
    </button>
  );
}

/** "7 answered, at most 5 left". */
function progressText(done: number, left: number): string {
  return left ? `${done} answered, at most ${left} left` : `${done} answered`;
}

/** The left and right arrows choose a paper. */
function useArrows(answer: (outcome: PairOutcome) => void): void {
  const act = useLatestCallback((event: KeyboardEvent) => {
    const target = event.target as Element | null;
    if (event.altKey || event.ctrlKey || event.metaKey || target?.closest("dialog, input, select"))
      return;
    if (event.key === "ArrowLeft") answer("first");
    else if (event.key === "ArrowRight") answer("second");
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    window.addEventListener("keydown", act);
    return () => window.removeEventListener("keydown", act);
  }, [act]);
}
