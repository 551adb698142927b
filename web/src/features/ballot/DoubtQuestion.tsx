// A contradiction as a question, in place. Answering is never forced, and an answer can be taken back.
import { useEffect, useRef, useState, type RefObject } from "react";

import { Button } from "../../components/buttons";
import { answered, levelNow, type Doubt } from "./contradictions";
import type { BallotContextValue } from "./ballotContext";
import type { AnswerKind, Score } from "./ballotApi";
import { handleId } from "./useMoves";
import { ANSWERS, doubtText, levelText } from "./words";

const KINDS = ["order", "score", "both", "unsure"] as const satisfies AnswerKind[];

interface Props {
  doubt: Doubt;
  about: Pick<BallotContextValue, "papers" | "content" | "change" | "levels">;
}

/** What becomes of the answers. */
export function AnswerHint() {
  return (
    <p className="hint">
      You need not answer. “Go by the scores” and “Not sure” leave the comparison out; after the
      other answers it counts.
    </p>
  );
}

/** The questions about one paper. */
export function DoubtsAbout({
  paper,
  doubts,
  about,
}: {
  paper: string;
  doubts: Doubt[];
  about: Props["about"];
}) {
  return doubts
    .filter((doubt) => doubt.paper === paper)
    .map((doubt) => (
      <DoubtQuestion key={`${doubt.side} ${doubt.others.join(" ")}`} doubt={doubt} about={about} />
    ));
}

export function DoubtQuestion({ doubt, about }: Props) {
  const { papers, content, change, levels } = about;
  const [changing, setChanging] = useState(false);
  const text = doubtText(doubt, content, papers);
  const [box, keepFocus] = useKeptFocus(doubt.answer);
  const answer = (kind: AnswerKind | null) => {
    keepFocus();
    change(answered(content, doubt.pairs, kind));
  };
  if (doubt.answer)
    return (
      <div className="ballot-doubt settled" ref={box}>
        <p>
          {text} Your answer: {ANSWERS[doubt.answer].given}.
        </p>
        <Button look="quiet" aria-label={`Change the answer. ${text}`} onClick={() => answer(null)}>
          Change
        </Button>
      </div>
    );
  return (
    <div className="ballot-doubt" role="group" aria-label={text} ref={box}>
      <p>{text}</p>
      <div className="ballot-answers">
        {KINDS.map((kind) => (
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
      {changing && <ScoreChange doubt={doubt} about={about} />}
    </div>
  );
}

/** The scores that the reviewer would give now, of the papers that it is about. */
function ScoreChange({ doubt, about: { papers, content, change, levels } }: Props) {
  const [chosen, setChosen] = useState<Record<string, Score>>({});
  const shown = doubt.others.length === 1 ? [doubt.paper, ...doubt.others] : [doubt.paper];
  return (
    <div className="row">
      {shown.map((paper) => {
        const known = papers.get(paper);
        if (!known) return null;
        const score = chosen[paper];
        return (
          <label key={paper} className="labelled">
            <span>{paper} should have</span>
            <select
              className="select"
              value={
                (score === undefined ? levelNow(known, content, levels) : levels.indexOf(score)) ??
                ""
              }
              onChange={(event) => {
                const level = levels[Number(event.target.value)];
                if (level !== undefined) setChosen({ ...chosen, [paper]: level });
              }}
            >
              {levels.map((level, at) => (
                <option key={at} value={at}>
                  {levelText(level)}
                </option>
              ))}
            </select>
          </label>
        );
      })}
      <Button
        disabled={!Object.keys(chosen).length}
        onClick={() => {
          change({ ...content, scores: { ...content.scores, ...chosen } });
          window.setTimeout(() => focusRow(doubt.paper));
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

/** The question is gone, and its button with it: go on at the paper. */
function focusRow(paper: string): void {
  if (document.activeElement === document.body)
    document.getElementById(handleId(paper))?.focus({ preventScroll: true });
}

/** After an answer its button is gone: the focus goes to the first button that took its place. */
function useKeptFocus(answer: AnswerKind | null): [RefObject<HTMLDivElement | null>, () => void] {
  const box = useRef<HTMLDivElement>(null);
  const acted = useRef(false);
  useEffect(() => {
    if (acted.current) box.current?.querySelector("button")?.focus({ preventScroll: true });
    acted.current = false;
  }, [answer]);
  return [box, () => void (acted.current = true)];
}
