// What every row of a ballot needs: the papers, the order as shown, and the ways to move a paper.
import { createContext, useContext } from "react";

import type { BallotContent, BallotOptions, BallotPaper, Score } from "./useBallot";
import type { Drag, DragHandlers } from "./useDrag";
import type { Moves } from "./useMoves";

export interface BallotContextValue {
  papers: ReadonlyMap<string, BallotPaper>;
  options: BallotOptions;
  levels: Score[]; // of the scale, worst first
  content: BallotContent; // without what is grabbed and not dropped yet
  change(content: BallotContent): void;
  moves: Moves;
  drag: Drag | null;
  handlers(paper: string): DragHandlers;
}

export const BallotContext = createContext<BallotContextValue | null>(null);

export function useBallotContext(): BallotContextValue {
  const context = useContext(BallotContext);
  if (!context) throw new Error("useBallotContext is for parts of a ballot");
  return context;
}

/** "12, A title", or the number alone. */
export function nameIn(papers: ReadonlyMap<string, BallotPaper>, paper: string): string {
  const title = papers.get(paper)?.title;
  return title ? `${paper}, ${title}` : paper;
}
