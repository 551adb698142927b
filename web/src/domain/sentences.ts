// Sentences about a run: why a score moved, and what the viewer sees of the run.
import {
  counted,
  fixed,
  LEAST_MOVE,
  plain,
  scoreLabel,
  signed,
  lambdaText,
  scoreText,
} from "./format";
import { TERMS, DISCLOSURE_NOTES, POLICIES, titleIn, UNRANKED } from "./glossary";
import { STAR, STAR_NAME } from "./rankings";
import { bindingsOf, numberAt, OUTSIDE, reviewAt, type Review, type Run, type View } from "./run";

/** Whether the review's range is wider than the rounding range of its score: a ranking needed that. */
export function isWidened({ scale, reviews }: View, review: number): boolean {
  const level = scale.levels.indexOf(numberAt(reviews.score, review));
  const below = numberAt(scale.lower, level) - numberAt(reviews.lower, review);
  const above = numberAt(reviews.upper, review) - numberAt(scale.upper, level);
  return Math.max(below, above) > LEAST_WIDENING;
}

const LEAST_WIDENING = 1e-9;

/** Whether the new score lies outside the rounding range of the given one: a ranking needed that. */
export function isOutside({ scale, reviews }: View, review: number): boolean {
  const level = scale.levels.indexOf(numberAt(reviews.score, review));
  const value = numberAt(reviews.dequantized, review);
  const [lower, upper] = [numberAt(scale.lower, level), numberAt(scale.upper, level)];
  return Math.max(lower - value, value - upper) > LEAST_OUTSIDE;
}

const LEAST_OUTSIDE = 1e-4;

/** How many new scores lie outside the rounding range of the given one. */
export const outsideCount = (view: View): number =>
  view.reviews.dequantized.filter((_, review) => isOutside(view, review)).length;

/** "rounding range" or "widened rounding range". */
export const rangeName = (view: View, review: number): string =>
  (isWidened(view, review) ? TERMS.widened_range : TERMS.rounding_range).title.toLowerCase();

/** One sentence: how far the score moved, what moved it, which comparisons bind. */
export function moveSentence(run: Run, review: number): string {
  const row = reviewAt(run.view, review);
  if (run.contradicts.has(review) && isOutside(run.view, review))
    return `Its ${scoreLabel(run.view, row.score)} contradicts the ranking, so it was ${row.move > 0 ? "raised" : "lowered"} to ${fixed(row.dequantized, 2)}, just enough for the ranking to hold.`;
  const held = bindingText(run, review);
  const range = rangeName(run.view, review);
  if (!counts(row.move)) return stillSentence(row, held, range);
  const reasons = [consensusReason(row), rankingReason(row, held), rangeReason(row, range)].filter(
    (reason) => reason !== null,
  );
  const because = reasons.length ? `: ${listed(reasons, ", and ")}` : "";
  return `Moved ${upOrDown(row.move)}${because}.`;
}

function stillSentence(row: Review, held: string | null, range: string): string {
  const forces: [string, number][] = [
    ["the other reviews", row.consensus],
    ["the ranking", row.ranking],
    [`its ${range}`, row.cell],
  ];
  const parts = forces.filter(([, part]) => counts(part));
  if (parts.length) {
    const balance = parts.map(([name, part]) => `${name} (${signed(part)})`);
    const ends = held ? `; it is held ${held}` : "";
    return `Did not move: ${listed(balance, " and ")} balance${ends}.`;
  }
  return held ? `Did not move; it is held ${held}.` : "Did not move.";
}

const counts = (part: number) => Math.abs(part) >= LEAST_MOVE;
const upOrDown = (part: number) => `${part > 0 ? "up" : "down"} by ${fixed(Math.abs(part), 3)}`;

function consensusReason({ consensus }: Review): string | null {
  return counts(consensus)
    ? `the other reviews of the paper pulled it ${upOrDown(consensus)}`
    : null;
}

function rankingReason({ ranking }: Review, held: string | null): string | null {
  if (counts(ranking)) {
    const which = held ? `, where it is held ${held}` : "";
    return `the reviewer's ranking pushed it ${upOrDown(ranking)}${which}`;
  }
  return held ? `the reviewer's ranking keeps it ${held}` : null;
}

function rangeReason({ cell, lower, upper, move }: Review, range: string): string | null {
  if (!counts(cell)) return null;
  const effect =
    cell > 0 === move > 0
      ? `pushed it ${upOrDown(cell)}`
      : `held it back by ${fixed(Math.abs(cell), 3)}`;
  return `the end of its ${range} (${plain(lower)} to ${plain(upper)}) ${effect}`;
}

/** The comparisons that bind: "above paper 12 and below ★ (a paper outside your scope)"; null when nothing binds. */
export function bindingText(run: Run, review: number): string | null {
  const { better, worse, lifts } = run.view.bindings;
  const paper = numberAt(run.view.reviews.paper, review);
  const sides = { above: [] as number[], below: [] as number[], "close to": [] as number[] };
  for (const binding of bindingsOf(run, review)) {
    const isBetter = better[binding] === paper;
    const other = numberAt(isBetter ? worse : better, binding);
    // A bound on papers that are "about the same" pulls them together.
    const together = numberAt(lifts, binding) < 0;
    sides[together ? "close to" : isBetter ? "above" : "below"].push(other);
  }
  const texts = Object.entries(sides)
    .filter(([, others]) => others.length)
    .map(([side, others]) => `${side} ${othersText(run, others)}`);
  return texts.length ? listed(texts, " and ") : null;
}

const MOST_NAMED = 3;

export function othersText(run: Run, others: number[]): string {
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
export function listed(parts: string[], last: string): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")}${last}${parts.at(-1)}`;
}

/** What kind of numbers an area chair sees; null for chairs. */
export const numbersText = ({ disclosure }: View): string | null =>
  disclosure ? DISCLOSURE_NOTES[disclosure] : null;

/** "Demo 2026, Before rebuttal (2026-11-14): the 45 papers of Ann" */
export function scopeText(run: Run): string {
  const { viewer, conference, name, finished } = run.view;
  const which = [conference, name].filter(Boolean).join(", ") || "This run";
  const when = finished ? ` (${finished.slice(0, 10)})` : "";
  const papers = counted(run.papers, "paper");
  const whose = viewer.role === "chair" ? `all ${papers}` : `the ${papers} of ${viewer.name}`;
  return `${which}${when}: ${whose}`;
}

export function settingsOf(view: View): [string, string][] {
  const { lam, settings } = view.run;
  const { scale_origin } = settings;
  const levels = view.scale.levels.map((level) => scoreText(view, level)).join(", ");
  return [
    [TERMS.lambda.title, lambdaText(lam)],
    ["λ setting", lambdaText(settings.lam)],
    [TERMS.epsilon.title, String(settings.epsilon)],
    ["Scale", scale_origin ? `${levels} (${scale_origin})` : levels],
    ["Contradictions", titleIn(POLICIES, settings.conflicts)],
    ["Unranked papers", titleIn(UNRANKED, settings.unranked)],
  ];
}
