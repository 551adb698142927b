// Where an order contradicts the reviewer's scores, grouped into few questions.
import type { AnswerKind, BallotContent, BallotPaper, Score } from "./useBallot";

interface Pair {
  above: string;
  below: string;
}

/** A paper above others that got more, or below others that got less. */
export interface Question {
  paper: string;
  side: "above" | "below"; // where the paper is
  others: string[];
  pairs: Pair[];
  answer: AnswerKind | null; // null: some pair has no answer, or they differ
}

type Papers = ReadonlyMap<string, BallotPaper>;

/** The score that counts: the one that the reviewer would change to, or the one given. */
export function scoreNow(paper: BallotPaper, content: BallotContent): Score | null {
  return content.scores[paper.paper] ?? paper.score;
}

export function levelNow(
  paper: BallotPaper,
  content: BallotContent,
  levels: Score[],
): number | null {
  const changed = content.scores[paper.paper];
  return changed === undefined ? paper.level : levels.findIndex((level) => level === changed);
}

/**
 * Every pair in which the upper paper got less than the lower one. Where only the best are asked for,
 * the others are below them once all places are taken.
 */
export function contradictionsIn(
  content: BallotContent,
  papers: Papers,
  levels: Score[],
  best: number | null = null,
): Pair[] {
  const level = (paper: string) => {
    const known = papers.get(paper);
    return known ? levelNow(known, content, levels) : null;
  };
  const full = best !== null && content.groups.flat().length >= best;
  const groups = full ? [...content.groups, content.unplaced] : content.groups;
  const found: Pair[] = [];
  for (const [at, group] of groups.entries())
    for (const above of group)
      for (const below of groups.slice(at + 1).flat()) {
        const [upper, lower] = [level(above), level(below)];
        if (upper !== null && lower !== null && upper < lower) found.push({ above, below });
      }
  return found;
}

/**
 * As few questions as can be found: always about the paper, on one side, of most pairs left.
 * Answers do not change which questions there are.
 */
export function questionsFrom(pairs: Pair[], answers: BallotContent["answers"]): Question[] {
  const questions: Question[] = [];
  let left = pairs;
  while (left.length) {
    const [paper, side] = mostFrequent(left);
    const about = left.filter((pair) => pair[side] === paper);
    left = left.filter((pair) => pair[side] !== paper);
    const others = about.map((pair) => pair[side === "above" ? "below" : "above"]);
    questions.push({ paper, side, others, pairs: about, answer: commonAnswer(about, answers) });
  }
  return questions;
}

function mostFrequent(pairs: Pair[]): [string, Question["side"]] {
  const counts = new Map<string, [string, Question["side"], number]>();
  for (const pair of pairs)
    for (const side of ["above", "below"] as const) {
      const key = `${side} ${pair[side]}`;
      counts.set(key, [pair[side], side, (counts.get(key)?.[2] ?? 0) + 1]);
    }
  const [paper, side] = [...counts.values()].reduce((most, each) =>
    each[2] > most[2] ? each : most,
  );
  return [paper, side];
}

function commonAnswer(pairs: Pair[], answers: BallotContent["answers"]): AnswerKind | null {
  const given = pairs.map((pair) => answers.find((one) => samePair(one, pair))?.answer ?? null);
  const first = given[0] ?? null;
  return given.every((one) => one === first) ? first : null;
}

const samePair = (one: Pair, other: Pair): boolean =>
  one.above === other.above && one.below === other.below;

/** Record one answer for all pairs of a question; null takes it back. */
export function answered(
  content: BallotContent,
  pairs: Pair[],
  answer: AnswerKind | null,
): BallotContent {
  const others = content.answers.filter((one) => !pairs.some((pair) => samePair(one, pair)));
  const given = answer ? pairs.map(({ above, below }) => ({ above, below, answer })) : [];
  return { ...content, answers: [...others, ...given] };
}

/** Drop the answers about pairs that contradict nothing any more. */
export function withLiveAnswers(content: BallotContent, pairs: Pair[]): BallotContent {
  const live = content.answers.filter((one) => pairs.some((pair) => samePair(one, pair)));
  return live.length === content.answers.length ? content : { ...content, answers: live };
}
