// A reviewer's order and the moves in it. Every move returns a new order and leaves the old as it was.
import type { BallotContent, BallotPaper, Score } from "./useBallot";

export interface Order {
  groups: string[][]; // best first; a group of several is a tie
  cannot_say: string[];
  unplaced: string[];
}

/** Where a paper goes. Groups are counted without the paper. */
export type MoveTarget =
  | { kind: "own"; at: number } // a place of its own, before group `at`
  | { kind: "with"; at: number } // the same as group `at`
  | { kind: "unplaced" }
  | { kind: "cannot_say" };

export type BallotSection = "placed" | "unplaced" | "cannot_say";

export interface Place {
  number: number; // of the group's first paper, from 1
  of: number; // papers placed
  tied: boolean;
}

export function without<O extends Order>(order: O, paper: string): O {
  const rest = (papers: string[]) => papers.filter((each) => each !== paper);
  return {
    ...order,
    groups: order.groups.map(rest).filter((group) => group.length > 0),
    cannot_say: rest(order.cannot_say),
    unplaced: rest(order.unplaced),
  };
}

export function moved<O extends Order>(order: O, paper: string, target: MoveTarget): O {
  const rest = without(order, paper);
  if (target.kind === "unplaced") return { ...rest, unplaced: [...rest.unplaced, paper] };
  if (target.kind === "cannot_say") return { ...rest, cannot_say: [...rest.cannot_say, paper] };
  if (target.kind === "own")
    return { ...rest, groups: rest.groups.toSpliced(target.at, 0, [paper]) };
  const groups = rest.groups.map((group, at) => (at === target.at ? [...group, paper] : group));
  return { ...rest, groups };
}

/** Leave at most `most` papers placed: the last ones go back, but never the one just moved. */
export function shortened<O extends Order>(order: O, most: number | null, mover?: string): O {
  let short = order;
  while (most !== null && placedIn(short).length > most) {
    const last = placedIn(short).findLast((paper) => paper !== mover);
    if (last === undefined) return short;
    short = moved(short, last, { kind: "unplaced" });
  }
  return short;
}

export const placedIn = (order: Order): string[] => order.groups.flat();

export function sectionOf(order: Order, paper: string): BallotSection {
  if (order.cannot_say.includes(paper)) return "cannot_say";
  return order.unplaced.includes(paper) ? "unplaced" : "placed";
}

export function groupOf(order: Order, paper: string): number {
  return order.groups.findIndex((group) => group.includes(paper));
}

export function placeOf(order: Order, paper: string): Place | null {
  const at = groupOf(order, paper);
  if (at < 0) return null;
  return {
    number: order.groups.slice(0, at).flat().length + 1,
    of: placedIn(order).length,
    tied: (order.groups[at]?.length ?? 0) > 1,
  };
}

/** Where a paper goes with one step up; null at the top. From below the order it becomes the last. */
export function stepUp(order: Order, paper: string): MoveTarget | null {
  const section = sectionOf(order, paper);
  if (section === "cannot_say") return { kind: "unplaced" };
  const others = without(order, paper).groups.length;
  if (section === "unplaced") return { kind: "own", at: others };
  const at = groupOf(order, paper);
  if (isTied(order, at)) return { kind: "own", at };
  return at > 0 ? { kind: "own", at: at - 1 } : null;
}

/** Where a paper goes with one step down: below the last, out of the order, then to "cannot say". */
export function stepDown(order: Order, paper: string, maySkip: boolean): MoveTarget | null {
  const section = sectionOf(order, paper);
  if (section === "cannot_say") return null;
  if (section === "unplaced") return maySkip ? { kind: "cannot_say" } : null;
  const at = groupOf(order, paper);
  if (isTied(order, at)) return { kind: "own", at: at + 1 };
  return at < order.groups.length - 1 ? { kind: "own", at: at + 1 } : { kind: "unplaced" };
}

/** The same as the group above; out of a tie, a place of its own below it. Null where there is none. */
export function tieAbove(order: Order, paper: string): MoveTarget | null {
  const at = groupOf(order, paper);
  if (at >= 0 && isTied(order, at)) return { kind: "own", at: at + 1 };
  if (at > 0) return { kind: "with", at: at - 1 };
  const others = order.groups.length;
  return at < 0 && others > 0 ? { kind: "with", at: others - 1 } : null;
}

/** The target that makes a paper's place `number`, counted without it. */
export function atPlace(order: Order, paper: string, number: number): MoveTarget {
  const { groups } = without(order, paper);
  let before = 0;
  const at = groups.findIndex((group) => {
    if (before >= number - 1) return true;
    before += group.length;
    return false;
  });
  return { kind: "own", at: at < 0 ? groups.length : at };
}

const isTied = (order: Order, at: number): boolean => (order.groups[at]?.length ?? 0) > 1;

/** All papers placed by their scores, equal scores together; papers without a score stay out. */
export function fromScores(content: BallotContent, papers: BallotPaper[]): BallotContent {
  const free = new Set(papers.map(({ paper }) => paper));
  for (const paper of content.cannot_say) free.delete(paper);
  const groups = byScore(papers.filter(({ paper }) => free.has(paper)));
  const scored = groups.filter(({ score }) => score !== null);
  const names = (group: { papers: BallotPaper[] }) => group.papers.map(({ paper }) => paper);
  return {
    ...content,
    groups: scored.map(names),
    unplaced: groups.filter(({ score }) => score === null).flatMap(names),
  };
}

/** Papers in groups of one score, the best first; those without a score last. */
export function byScore(papers: BallotPaper[]): { score: Score | null; papers: BallotPaper[] }[] {
  const groups = new Map<number, BallotPaper[]>();
  for (const paper of papers) {
    const level = paper.level ?? -1;
    groups.set(level, [...(groups.get(level) ?? []), paper]);
  }
  return [...groups]
    .toSorted(([a], [b]) => b - a)
    .map(([level, members]) => ({
      score: level < 0 ? null : (members[0]?.score ?? null),
      papers: members,
    }));
}
