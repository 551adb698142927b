// A contradiction as a question, in place. Answering is never forced, and an answer can be taken back.
import { useEffect, useRef, useState, type RefObject } from "react";

import { Button } from "../../components/buttons";
import { SelectField } from "../../components/choices";
import { answered, levelNow, type Question } from "./contradictions";
import type { BallotContextValue } from "./ballotContext";
import type { AnswerKind, Score } from "./useBallot";
import { handleId } from "./useMoves";
import { ANSWER_KINDS, ANSWERS, questionText, levelText } from "./words";

interface Props {
  question: Question;
  about: Pick<BallotContextValue, "papers" | "content" | "change" | "levels">;
}

/** What becomes of the answers. */
export function AnswerHint() {
  return (
    <p className="hint">
      You need not answer. After “Go by the scores” or “Not sure” the comparison is left out; after
      the other answers it counts.
    </p>
  );
}

/** The questions about one paper. */
export function QuestionsAbout({
  paper,
  questions,
  about,
}: {
  paper: string;
  questions: Question[];
  about: Props["about"];
}) {
  return questions
    .filter((question) => question.paper === paper)
    .map((question) => (
      <ContradictionQuestion
        key={`${question.side} ${question.others.join(" ")}`}
        question={question}
        about={about}
      />
    ));
}

export function ContradictionQuestion({ question, about }: Props) {
  const { papers, content, change, levels } = about;
  const [changing, setChanging] = useState(false);
  const text = questionText(question, content, papers);
  const [box, keepFocus] = useFocusAfterAnswer(question.answer);
  const answer = (kind: AnswerKind | null) => {
    keepFocus();
    change(answered(content, question.pairs, kind));
  };
  if (question.answer)
    return (
      <div className="ballot-question settled" ref={box}>
        <p>
          {text} Your answer: {ANSWERS[question.answer].given}.
        </p>
        <Button look="quiet" aria-label={`Change the answer. ${text}`} onClick={() => answer(null)}>
          Change
        </Button>
      </div>
    );
  return (
    <div className="ballot-question" role="group" aria-label={text} ref={box}>
      <p>{text}</p>
      <div className="ballot-answers">
        {ANSWER_KINDS.map((kind) => (
          <Button key={kind} onClick={() => answer(kind)}>
            {ANSWERS[kind].button}
          </Button>
        ))}
        {levels.length > 0 && (
          <Button aria-expanded={changing} onClick={() => setChanging(!changing)}>
            Change a score
          </Button>
        )}
      </div>
      {changing && <ScoreChange question={question} about={about} />}
    </div>
  );
}

/** The scores that the reviewer would give now, of the papers that it is about. */
function ScoreChange({ question, about: { papers, content, change, levels } }: Props) {
  const [chosen, setChosen] = useState<Record<string, Score>>({});
  const shown =
    question.others.length === 1 ? [question.paper, ...question.others] : [question.paper];
  return (
    <div className="row">
      {shown.map((paper) => {
        const known = papers.get(paper);
        if (!known) return null;
        const score = chosen[paper];
        return (
          <SelectField
            key={paper}
            label={`${paper} should have`}
            options={levels.map((level, at) => [String(at), levelText(level)] as const)}
            value={String(
              (score === undefined ? levelNow(known, content, levels) : levels.indexOf(score)) ??
                "",
            )}
            onChange={(at) => {
              const level = levels[Number(at)];
              if (level !== undefined) setChosen({ ...chosen, [paper]: level });
            }}
          />
        );
      })}
      <Button
        disabled={!Object.keys(chosen).length}
        onClick={() => {
          change({ ...content, scores: { ...content.scores, ...chosen } });
          window.setTimeout(() => focusRow(question.paper));
        }}
      >
        Change it
      </Button>
      <span className="hint">
        The chairs see what you would give. Your review keeps its score until you change it there.
      </span>
    </div>
  );
}

/** The question and its button have disappeared: focus the paper's handle. */
function focusRow(paper: string): void {
  if (document.activeElement === document.body)
    document.getElementById(handleId(paper))?.focus({ preventScroll: true });
}

/** An answer removes its button: focus the first button that replaces it. */
function useFocusAfterAnswer(
  answer: AnswerKind | null,
): [RefObject<HTMLDivElement | null>, () => void] {
  const box = useRef<HTMLDivElement>(null);
  const acted = useRef(false);
  useEffect(() => {
    if (acted.current) box.current?.querySelector("button")?.focus({ preventScroll: true });
    acted.current = false;
  }, [answer]);
  return [box, () => void (acted.current = true)];
}
