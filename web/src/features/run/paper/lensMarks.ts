// The positions of the marks under the lens: the rounding range and half of it on each side.
import { LEAST_MOVE } from "../../../domain/format";
import { numberAt, reviewAt, type Run } from "../../../domain/run";

/** One of the parts that a move is the sum of, from where the part before it ends. */
export interface Pull {
  name: "others" | "ranking" | "end of the range";
  from: number;
  to: number;
}

export interface LensMarks {
  from: number;
  to: number;
  lower: number;
  upper: number;
  given: number;
  dequantized: number;
  others: number[]; // those within the lens
  pulls: Pull[];
}

export function lensMarks(run: Run, review: number): LensMarks {
  const { paper, score, dequantized, lower, upper, consensus, ranking, cell } = reviewAt(
    run.view,
    review,
  );
  const half = (upper - lower) / 2;
  const [from, to] = [lower - half, upper + half];
  const others = (run.reviewsOf[paper] ?? [])
    .filter((other) => other !== review)
    .map((other) => numberAt(run.view.reviews.dequantized, other))
    .filter((value) => value >= from && value <= to);
  let at = score;
  const parts = [
    ["others", consensus],
    ["ranking", ranking],
    ["end of the range", cell],
  ] as const;
  const pulls = parts.map(([name, part]) => ({ name, from: at, to: (at += part) }));
  return {
    ...{ from, to, lower, upper, given: score, dequantized, others },
    pulls: pulls.filter((pull) => Math.abs(pull.to - pull.from) >= LEAST_MOVE),
  };
}
