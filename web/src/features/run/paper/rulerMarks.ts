// Where things stand on a ruler: pure arithmetic, drawn by Ruler.
import { fixed, scoreLabel } from "../../../domain/format";
import type { Run } from "../../../domain/run";

export interface RulerMarks {
  from: number; // the ends of the ruler
  to: number;
  levels: number[];
  lower: number; // the cell
  upper: number;
  given: number;
  dequantized: number;
  others: number[]; // new scores of the paper's other reviews
}

export function rulerMarks(run: Run, review: number): RulerMarks {
  const { reviews, scale } = run.view;
  const [lower, upper] = [reviews.lower[review] as number, reviews.upper[review] as number];
  const own = run.reviewsOf[reviews.paper[review] as number] ?? [];
  const levels = scale.levels;
  const margin = levels.length > 1 ? ((levels[1] as number) - (levels[0] as number)) / 2 : 0.5;
  return {
    from: Math.min(lower, (levels[0] as number) - margin),
    to: Math.max(upper, (levels.at(-1) as number) + margin),
    levels,
    lower,
    upper,
    given: reviews.score[review] as number,
    dequantized: reviews.dequantized[review] as number,
    others: own
      .filter((other) => other !== review)
      .map((other) => reviews.dequantized[other] as number),
  };
}

/** What the picture tells, for those who do not see it. */
export function rulerText(run: Run, marks: RulerMarks): string {
  const others = marks.others.map((other) => fixed(other, 3)).join(", ");
  return [
    `Given ${scoreLabel(run.view, marks.given)}`,
    `now ${fixed(marks.dequantized, 3)}`,
    `cell from ${marks.lower} to ${marks.upper}`,
    others ? `other reviews now at ${others}` : "no other reviews",
  ].join("; ");
}
