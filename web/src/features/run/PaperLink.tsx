// Links to papers: one, or a ranking as a line of them.
import { Fragment, type AnchorHTMLAttributes, type ReactNode } from "react";

import { Link } from "../../app/route";
import { useRun } from "./context";
import { nameOf, stepsOf, STAR, STAR_NAME } from "../../domain/rankings";
import { OUTSIDE } from "../../domain/run";

export function PaperLink({
  paper,
  children,
  ...rest
}: { paper: number; children: ReactNode } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const { run, base, kept } = useRun();
  const id = encodeURIComponent(String(run.view.papers.paper[paper]));
  return (
    <Link {...rest} to={`${base}/paper/${id}${kept}`}>
      {children}
    </Link>
  );
}

/** A reviewer's ranking in one line, with one paper in bold. */
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
