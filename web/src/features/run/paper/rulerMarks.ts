// The positions of the marks on a ruler, and the same in words.
import { fixed, scoreLabel } from "../../../domain/format";
import { ROUNDING_RANGE } from "../../../domain/glossary";
import { numberAt, reviewAt, type Run } from "../../../domain/run";

export interface RulerMarks {
  from: number; // the ends of the ruler
  to: number;
  levels: number[];
  lower: number; // the ends of the rounding range
  upper: number;
  given: number;
  dequantized: number;
  others: number[]; // new scores of the paper's other reviews
}

export function rulerMarks(run: Run, review: number): RulerMarks {
  const { reviews, scale } = run.view;
  const { paper, score, dequantized, lower, upper } = reviewAt(run.view, review);
  const others = run.reviewsOf[paper]?.filter((other) => other !== review) ?? [];
  const levels = scale.levels;
  const [first = 0, second = first + 1] = levels;
  const margin = (second - first) / 2;
  return {
    from: Math.min(lower, first - margin),
    to: Math.max(upper, (levels.at(-1) ?? first) + margin),
    levels,
    lower,
    upper,
    given: score,
    dequantized,
    others: others.map((other) => numberAt(reviews.dequantized, other)),
  };
}

/** The drawing in words, for screen readers. */
export function rulerText(run: Run, marks: RulerMarks): string {
  const others = marks.others.map((other) => fixed(other, 3)).join(", ");
  return [
    `Given ${scoreLabel(run.view, marks.given)}`,
    `now ${fixed(marks.dequantized, 3)}`,
    `${ROUNDING_RANGE} from ${marks.lower} to ${marks.upper}`,
    others ? `other reviews now at ${others}` : "no other reviews",
  ].join("; ");
}
