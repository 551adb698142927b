// The ballot as a list: the order, the papers not placed yet, and those the reviewer cannot judge.
import { useMemo } from "react";

import { KEYS } from "./announcements";
import { contradictionsIn, doubtsIn, withLiveAnswers } from "./contradictions";
import { DeskContext, nameIn, type Desk } from "./desk";
import { DragShadow } from "./DragShadow";
import { fromScores } from "./ballotOrder";
import { PlacedSection } from "./PlacedSection";
import { SkippedSection } from "./SkippedSection";
import type { Ballot, BallotContent } from "./ballotTypes";
import { UnplacedSection } from "./UnplacedSection";
import { useDrag } from "./useDrag";
import { useMoves } from "./useMoves";

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
  const desk: Desk = {
    papers: known,
    options,
    levels,
    content,
    change,
    moves,
    drag,
    handlers,
  };
  const doubts = doubtsIn(pairsIn(moves.shown), moves.shown.answers);
  const free = papers.filter(({ paper }) => moves.shown.unplaced.includes(paper));
  const skipped = papers.filter(({ paper }) => moves.shown.cannot_say.includes(paper));
  return (
    <DeskContext value={desk}>
      <p id="ballot-keys" className={moves.held ? "ballot-keys" : "visually-hidden"}>
        {KEYS}
      </p>
      <div role="status" aria-live="assertive" className="visually-hidden">
        {moves.words}
      </div>
      <div className="ballot-columns">
        <PlacedSection doubts={doubts} />
        <div className="stack">
          <UnplacedSection
            papers={free}
            doubts={doubts}
            onScores={() => change(fromScores(content, papers))}
          />
          {options.may_skip && <SkippedSection papers={skipped} />}
        </div>
      </div>
      {drag && <DragShadow drag={drag} />}
    </DeskContext>
  );
}
