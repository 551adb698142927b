// The settings of a run in words.
import { lambdaText, scoreText } from "./format";
import { POLICIES, TERMS, titleIn, UNRANKED } from "./glossary";
import type { View } from "./run";

export function settingsOf(view: View): [string, string][] {
  const { lam, settings } = view.run;
  const { scale_origin } = settings;
  // Where only the order is shown, λ is not.
  const lambda: [string, string][] =
    settings.lam === null
      ? []
      : [
          [TERMS.lambda.title, lambdaText(lam)],
          ["λ setting", lambdaText(settings.lam)],
        ];
  const levels = view.scale.levels.map((level) => scoreText(view, level)).join(", ");
  return [
    ...lambda,
    [TERMS.epsilon.title, String(settings.epsilon)],
    ["Scale", scale_origin ? `${levels} (${scale_origin})` : levels],
    ["Contradictions", titleIn(POLICIES, settings.conflicts)],
    ["Unranked papers", titleIn(UNRANKED, settings.unranked)],
  ];
}
