// How sure a run is, in sentences for chairs.
import { fixed, signed } from "./format";
import { chancesOf, type Accept } from "./line";
import { ordinal } from "./placeWords";
import { numberAt, reviewAt, statisticOf, type Run } from "./run";
import { chanceText, uncertaintyOf } from "./sureness";

export const RESTS_ON_A_MODEL =
  "This rests on a model: papers, reviewers and chance add up to an opinion.";

const share = (part: number): string => `${Math.round(100 * part)}%`;

/** "90% of the plausible orders put it between 410th and 560th; above the line in 63% of them." */
export function sureSentence(run: Run, paper: number, accept: Accept | null): string | null {
  const known = uncertaintyOf(run);
  const [low, high] = [known?.place_low[paper], known?.place_high[paper]];
  if (!known || low == null || high == null) return null;
  const where = low === high ? `${ordinal(low)}` : `between ${ordinal(low)} and ${ordinal(high)}`;
  const chance = accept ? numberAt(chancesOf(run, accept) ?? [], paper) : Number.NaN;
  const track = accept?.perTrack ? " of its track" : "";
  const above = Number.isNaN(chance)
    ? ""
    : `; above the line${track} in ${chanceText(chance)} of them`;
  return `${share(known.interval)} of the plausible orders put it ${where}${above}.`;
}

/** "Rounding and ranking +0.21, its reviewers’ strictness +0.48, …: 6.02 ± 0.31 instead of 5.33." */
export function calibrationSentence(run: Run, paper: number): string | null {
  const known = run.view.sureness?.calibration;
  const [calibrated, error] = [known?.calibrated[paper], known?.se[paper]];
  if (!known || calibrated == null || error == null) return null;
  const [given, now] = (["given", "dequantized"] as const).map((mode) =>
    statisticOf(run, mode, paper, "mean"),
  ) as [number, number];
  const strictness = -meanEffect(run, paper, known.effect);
  const towards = calibrated - now - strictness;
  const parts = [
    `rounding and ranking ${signed(now - given, 2)}`,
    `its reviewers’ strictness ${signed(strictness, 2)}`,
    `towards the mean of all papers ${signed(towards, 2)}`,
  ];
  return `Mean ${fixed(given, 2)} as given; ${parts.join(", ")}: ${fixed(calibrated, 2)} calibrated, ± ${fixed(error, 2)}.`;
}

function meanEffect(run: Run, paper: number, effect: (number | null)[]): number {
  const reviews = run.reviewsOf[paper] ?? [];
  const total = reviews.reduce(
    (sum, review) => sum + (effect[reviewAt(run.view, review).reviewer] ?? 0),
    0,
  );
  return total / reviews.length;
}

/** "Rounding and ranking +0.213; this reviewer’s strictness +0.48 (± 0.21)." */
export function strictnessSentence(run: Run, review: number): string | null {
  const known = run.view.sureness?.calibration;
  const { reviewer, move } = reviewAt(run.view, review);
  const [effect, error] = [known?.effect[reviewer], known?.effect_se[reviewer]];
  if (effect == null || error == null) return null;
  const strictness = `this reviewer’s strictness ${signed(-effect, 2)} (± ${fixed(error, 2)})`;
  return `Rounding and ranking ${signed(move, 3)}; ${strictness}.`;
}
