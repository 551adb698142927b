// The ballot as a list: the order, the papers not placed yet, and those the reviewer cannot judge.
import { useMemo } from "react";
import { flushSync } from "react-dom";

import { KEYS } from "./announcements";
import { contradictionsIn, questionsFrom, withLiveAnswers } from "./contradictions";
import { BallotContext, nameIn, useBallotContext, type BallotContextValue } from "./ballotContext";
import { fromScores } from "./ballotOrder";
import { PlacedSection, SkippedSection, UnplacedSection } from "./sections";
import type { Ballot, BallotContent } from "./ballotApi";
import { useDrag, type Drag } from "./useDrag";
import { handleId, useMoves } from "./useMoves";

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
      <p id="ballot-keys" className={moves.held ? "ballot-keys" : "visually-hidden"}>
        {KEYS}
      </p>
      <div role="status" aria-live="assertive" className="visually-hidden">
        {moves.words}
      </div>
      <div className="ballot-columns">
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
    <div className="ballot-shadow" style={{ left: x, top: y }} aria-hidden="true">
      <span className="strong">{paper}</span> {papers.get(paper)?.title}
      {mark?.kind === "with" && <span className="badge">same as {mark.paper}</span>}
    </div>
  );
}
