// Why a score stands where it does, in a chair's words.
import { fixed, LEAST_MOVE, plain, signed } from "./format";
import { STAR, STAR_NAME } from "./rankings";
import { OUTSIDE, type Run } from "./run";

/** One sentence: how far the score moved, what moved it, which comparisons bind. */
export function whyMoved(run: Run, review: number): string {
  const { reviews } = run.view;
  const [given, dequantized] = [reviews.score[review], reviews.dequantized[review]] as number[];
  const move = (dequantized as number) - (given as number);
  if (Math.abs(move) < LEAST_MOVE) return stillSentence(run, review);
  const direction = move > 0 ? "up" : "down";
  const reasons = [
    consensusReason(run, review),
    rankingReason(run, review),
    cellReason(run, review, move),
  ].filter((reason) => reason !== null);
  const because = reasons.length ? `: ${listed(reasons, ", and ")}` : "";
  return `Moved ${direction} by ${fixed(Math.abs(move), 3)}${because}.`;
}

function stillSentence(run: Run, review: number): string {
  const { consensus, ranking, cell } = run.view.reviews;
  const parts = (
    [
      ["the other reviews", consensus[review]],
      ["the ranking", ranking[review]],
      ["its cell", cell[review]],
    ] as [string, number][]
  ).filter(([, part]) => counts(part));
  const held = holding(run, review);
  if (parts.length) {
    const balance = parts.map(([name, part]) => `${name} (${signed(part)})`);
    const ends = held ? `; it is held ${held}` : "";
    return `Did not move: ${listed(balance, " and ")} balance${ends}.`;
  }
  return held ? `Did not move; it is held ${held}.` : "Did not move.";
}

const counts = (part: number) => Math.abs(part) >= LEAST_MOVE;
const upOrDown = (part: number) => `${part > 0 ? "up" : "down"} by ${fixed(Math.abs(part), 3)}`;

function consensusReason(run: Run, review: number): string | null {
  const part = run.view.reviews.consensus[review] as number;
  return counts(part) ? `the other reviews of the paper pulled it ${upOrDown(part)}` : null;
}

function rankingReason(run: Run, review: number): string | null {
  const part = run.view.reviews.ranking[review] as number;
  const held = holding(run, review);
  if (counts(part)) {
    const which = held ? `, where it is held ${held}` : "";
    return `the reviewer's ranking pushed it ${upOrDown(part)}${which}`;
  }
  return held ? `the reviewer's ranking keeps it ${held}` : null;
}

function cellReason(run: Run, review: number, move: number): string | null {
  const { cell, lower, upper } = run.view.reviews;
  const part = cell[review] as number;
  if (!counts(part)) return null;
  const ends = `${plain(lower[review] as number)} to ${plain(upper[review] as number)}`;
  const did =
    part > 0 === move > 0
      ? `pushed it ${upOrDown(part)}`
      : `held it back by ${fixed(Math.abs(part), 3)}`;
  return `the end of its cell (${ends}) ${did}`;
}

/** What binds: "above paper 12 and below ★ (a paper outside your scope)"; null when nothing binds. */
export function holding(run: Run, review: number): string | null {
  const { better, worse, lifts } = run.view.bindings;
  const paper = run.view.reviews.paper[review] as number;
  const sides: Record<"above" | "below" | "close to", number[]> = {
    above: [],
    below: [],
    "close to": [],
  };
  for (const binding of run.bindingsOf.get(review) ?? []) {
    const isBetter = better[binding] === paper;
    const other = (isBetter ? worse[binding] : better[binding]) as number;
    // A bound on papers that are "about the same" pulls them together.
    const together = (lifts[binding] as number) < 0;
    sides[together ? "close to" : isBetter ? "above" : "below"].push(other);
  }
  const said = Object.entries(sides)
    .filter(([, others]) => others.length)
    .map(([side, others]) => `${side} ${othersText(run, others)}`);
  return said.length ? listed(said, " and ") : null;
}

const MOST_NAMED = 3;

function othersText(run: Run, others: number[]): string {
  const inside = others.filter((other) => other !== OUTSIDE);
  const stars = others.length - inside.length;
  const named = inside.slice(0, MOST_NAMED).map((other) => `${run.view.papers.paper[other]}`);
  const rest = inside.length - named.length;
  const parts: string[] = [];
  if (named.length) {
    const numbers = rest ? [...named, `${rest} more`] : named;
    parts.push(`${inside.length === 1 ? "paper" : "papers"} ${listed(numbers, " and ")}`);
  }
  if (stars)
    parts.push(
      stars === 1 ? `${STAR} (${STAR_NAME})` : `${stars} ${STAR} (papers outside your scope)`,
    );
  return listed(parts, " and ");
}

/** "a, b and c" */
function listed(parts: string[], last: string): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")}${last}${parts.at(-1)}`;
}
