// Sentences of the reviewer's page.
import { plain } from "../../domain/format";
import { listed } from "../../domain/sentences";
import { scoreNow, type Question } from "./contradictions";
import type { AnswerKind, BallotContent, BallotPaper, Score } from "./ballotApi";

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
