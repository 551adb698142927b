// A reviewer's ranking in one line, with one paper in bold.
import { Fragment } from "react";

import { nameOf, stepsOf, STAR, STAR_NAME } from "../../domain/rankings";
import { OUTSIDE } from "../../domain/run";
import { useRun } from "./context";
import { PaperLink } from "./PaperLink";

export function RankingLine({
  reviewer,
  paper,
  links = false,
}: {
  reviewer: number;
  paper: number;
  links?: boolean;
}) {
  const { view } = useRun().run;
  const steps = stepsOf(view, reviewer);
  if (!steps.length) return <span className="soft">no ranking</span>;
  return steps.map((step, place) => (
    <Fragment key={place}>
      <span className="soft">{step.sign}</span>
      {step.paper === OUTSIDE ? (
        <span role="img" aria-label={STAR_NAME} title={STAR_NAME}>
          {STAR}
        </span>
      ) : step.paper === paper ? (
        <strong>{nameOf(view, step.paper)}</strong>
      ) : links ? (
        <PaperLink paper={step.paper}>{nameOf(view, step.paper)}</PaperLink>
      ) : (
        nameOf(view, step.paper)
      )}
    </Fragment>
  ));
}
