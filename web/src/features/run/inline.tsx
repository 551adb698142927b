// Small parts inside lines and cells: links to papers, rankings, moves and arrows.
import { useContext, Fragment, type AnchorHTMLAttributes, type ReactNode } from "react";

import { scoreLabel, signed } from "../../domain/format";
import { numberAt, OUTSIDE, reviewBy } from "../../domain/run";
import { useRun, SearchContext } from "./context";
import { Link } from "../../app/route";
import { nameOf, stepsOf, STAR, STAR_NAME } from "../../domain/rankings";

/** A move with its sign. The colour repeats the sign and adds nothing. */
export function Move({ by, digits = 3 }: { by: number; digits?: number }) {
  const text = signed(by, digits);
  const still = !/[1-9]/.test(text);
  const tone = still ? "soft" : by > 0 ? "up" : "down";
  return <span className={tone}>{still && !Number.isNaN(by) ? "0" : text}</span>;
}

export function ContradictionBadge() {
  return <span className="badge warn">Rank contradicts score</span>;
}

const ARROWS = { up: "▲", down: "▼", same: "" };

/** An arrow that screen readers hear as a word. */
export function Direction({ of }: { of: keyof typeof ARROWS }) {
  if (of === "same") return null;
  return (
    <span className={of}>
      <span aria-hidden="true">{ARROWS[of]}</span>
      <span className="visually-hidden">{of}</span>
    </span>
  );
}

/** Links to papers: one, or a ranking as a line of them. */
export function PaperLink({
  paper,
  children,
  ...rest
}: { paper: number; children: ReactNode } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const { run, base } = useRun();
  const search = useContext(SearchContext);
  const id = encodeURIComponent(String(run.view.papers.paper[paper]));
  return (
    <Link {...rest} to={`${base}/paper/${id}${search}`}>
      {children}
    </Link>
  );
}

/** A reviewer's ranking in one line, each paper with the score that they gave it, one of them in bold:
 * "1549 (2) > 133 (4) > 668 (9)". */
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
  const score = (of: number) => {
    const review = reviewBy(view, reviewer, of);
    if (review === undefined) return null;
    return (
      <span className="soft"> ({scoreLabel(view, numberAt(view.reviews.score, review))})</span>
    );
  };
  if (!steps.length) return <span className="soft">no ranking</span>;
  return steps.map((step, index) => (
    <Fragment key={index}>
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
      {score(step.paper)}
    </Fragment>
  ));
}

/** Links to the papers before and after one. */
export function Neighbours({
  previous,
  next,
  children,
}: {
  previous: number | undefined;
  next: number | undefined;
  children?: ReactNode; // before them
}) {
  const { paper } = useRun().run.view.papers;
  return (
    <nav aria-label="Neighbouring papers" className="row no-print">
      {children}
      {previous !== undefined && (
        <PaperLink paper={previous} className="button" rel="prev">
          <span aria-hidden="true">←</span> Previous: {paper[previous]}
        </PaperLink>
      )}
      {next !== undefined && (
        <PaperLink paper={next} className="button" rel="next">
          Next: {paper[next]} <span aria-hidden="true">→</span>
        </PaperLink>
      )}
    </nav>
  );
}
