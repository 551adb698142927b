// Sentences of the reviewer's page, and what a screen reader says while a paper is moved.
import { plain, capitalized } from "../../domain/format";
import { listed } from "../../domain/sentences";
import { scoreNow, type Question } from "./contradictions";
import type { AnswerKind, BallotContent, BallotPaper, Score } from "./useBallot";
import { placeOf, sectionOf, type Order } from "./ballotOrder";

export const levelText = (score: Score): string =>
  typeof score === "number" ? plain(score) : score;

/** "You put 12 above 30 but gave them 4 and 7." */
export function questionText(
  question: Question,
  content: BallotContent,
  papers: ReadonlyMap<string, BallotPaper>,
): string {
  const given = (paper: string) => {
    const known = papers.get(paper);
    const score = known ? scoreNow(known, content) : null;
    return score === null ? "no score" : levelText(score);
  };
  const { paper, side, others } = question;
  const [only] = others;
  if (others.length === 1 && only !== undefined) {
    const [above, below] = side === "above" ? [paper, only] : [only, paper];
    return `You put ${above} above ${below} but gave them ${given(above)} and ${given(below)}.`;
  }
  const scores = [...new Set(others.map(given))];
  return `You put ${paper} ${side} ${listed(others, " and ")} but gave it ${given(paper)} and those ${listed(scores, " and ")}.`;
}

/** The answers to a contradiction, as a button and as a fact. */
export const ANSWERS: Record<AnswerKind, { button: string; given: string }> = {
  order: { button: "Keep the order", given: "the order stands" },
  score: { button: "Go by the scores", given: "the scores stand" },
  both: { button: "I mean both", given: "both are meant" },
  unsure: { button: "Not sure", given: "not sure" },
};

export const ANSWER_KINDS = Object.keys(ANSWERS) as AnswerKind[];

const CLOCK = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const DAY_AND_CLOCK = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** "14:03" today, "12 Jun 2026, 14:03" on other days. */
export function momentOf(at: string, now: Date): string {
  const moment = new Date(at);
  const today = moment.toDateString() === now.toDateString();
  return (today ? CLOCK : DAY_AND_CLOCK).format(moment);
}

/** "2 days", "3 hours", "12 minutes" until a moment; null when it has passed. */
export function timeLeft(until: string, now: number): string | null {
  const minutes = Math.ceil((Date.parse(until) - now) / 60_000);
  if (minutes <= 0) return null;
  const many = (value: number, noun: string) => `${value} ${noun}${value === 1 ? "" : "s"}`;
  if (minutes < 120) return many(minutes, "minute");
  if (minutes < 48 * 60) return many(Math.floor(minutes / 60), "hour");
  return many(Math.floor(minutes / (24 * 60)), "day");
}

export type NameOf = (paper: string) => string;

export const KEYS =
  "Space or Enter grabs a paper and drops it. While it is grabbed, the arrows move it, Home and End move it to the ends, T makes it the same as the one above, and Escape puts it back.";

export function grabbedWords(order: Order, paper: string, name: NameOf): string {
  return `Grabbed ${name(paper)}, ${whereIs(order, paper, name)}. Arrows move it, Space drops it, Escape puts it back.`;
}

export function movedWords(order: Order, paper: string, name: NameOf): string {
  return `${capitalized(whereIs(order, paper, name))}.`;
}

export function droppedWords(
  order: Order,
  paper: string,
  name: NameOf,
  contradicts: boolean,
): string {
  const question = contradicts ? " This contradicts your scores: a question follows it." : "";
  return `Dropped ${name(paper)}, ${whereIs(order, paper, name)}.${question}`;
}

export function cancelledWords(order: Order, paper: string, name: NameOf): string {
  return `Put back ${name(paper)}, ${whereIs(order, paper, name)}.`;
}

/** "place 2 of 5, below Paper 7", "place 2 of 5, the same as Paper 7", "not placed". */
function whereIs(order: Order, paper: string, name: NameOf): string {
  const place = placeOf(order, paper);
  if (!place) return sectionOf(order, paper) === "cannot_say" ? "cannot say" : "not placed";
  return `place ${place.number} of ${place.of}${besides(order, paper, name)}`;
}

function besides(order: Order, paper: string, name: NameOf): string {
  const at = order.groups.findIndex((group) => group.includes(paper));
  const equals = (order.groups[at] ?? []).filter((each) => each !== paper);
  if (equals.length) return `, the same as ${equals.map(name).join(" and ")}`;
  const above = order.groups[at - 1]?.at(-1);
  if (above !== undefined) return `, below ${name(above)}`;
  const below = order.groups[at + 1]?.[0];
  return below === undefined ? "" : `, above ${name(below)}`;
}
