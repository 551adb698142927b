// The scores of a paper's reviews, in the order of its reviewers.
import { DIGITS, fixed, scoreLabel } from "../../../domain/format";
import { valuesOf, type Mode } from "../../../domain/run";
import { useRun } from "../context";

export function Scores({ paper, mode }: { paper: number; mode: Mode }) {
  const { run } = useRun();
  const values = valuesOf(run.view, mode);
  const written = (value: number) =>
    mode === "given" ? scoreLabel(run.view, value) : fixed(value, DIGITS[mode]);
  return run.reviewsOf[paper]?.map((review) => (
    <span key={review} className="score">
      {written(values[review] as number)}{" "}
    </span>
  ));
}
