// The cells of the table of papers.
import { effectText } from "../../../domain/reviewerContradictions";
import { calibratedOf, isStatistic, isText, textAt, type Column } from "../../../domain/columns";
import { LEAST_DIGITS } from "../../../domain/digits";
import { fixed, scoreLabel } from "../../../domain/format";
import { leftRange, placesOf, rangeAt } from "../../../domain/places";
import { rangeText } from "../../../domain/placeSentences";
import { rankingText, shortReviewer } from "../../../domain/rankings";
import {
  movesOf,
  numberAt,
  percentilesOf,
  statisticOf,
  valuesOf,
  type Mode,
} from "../../../domain/run";
import { chanceText, isClose, rangeOf } from "../../../domain/uncertainty";
import { useRun } from "../context";
import { PaperLink, RankingLine, Move, Direction } from "../inline";
import { digitsIn, MOST_SCORES, MOVED_DIGITS, type Cells } from "./widths";
import { decisionOf, isImported } from "../../../domain/decisions";
import { decisionOptions, SavedChoice } from "../decisions/SavedChoice";
import { DECISIONS } from "../../../domain/glossary";
import "../decisions/decisions.css";

/** What a row shows in a column; the paper's own cell is drawn by the row. */
export function PaperCell({
  column,
  paper,
  cells,
  reach,
}: {
  column: Column;
  paper: number;
  cells: Cells;
  reach: Reach;
}) {
  const { run } = useRun();
  if (column === "place") return <PlaceCell paper={paper} cells={cells} />;
  if (column === "was") return <WasCell paper={paper} cells={cells} />;
  if (column === "title") return <Title paper={paper} cells={cells} />;
  if (column === "decision") return <Decision paper={paper} decide={cells.decide} reach={reach} />;
  if (column === "tags") return <Tags paper={paper} />;
  if (isText(column)) return <WholeText text={textAt(run, column, paper)} />;
  if (column === "reviews") return run.reviewsOf[paper]?.length;
  if (column === "scores") return <Scores paper={paper} mode="given" />;
  if (column === "new_scores") return <Scores paper={paper} mode="dequantized" />;
  if (column === "percentile") return fixed(numberAt(percentilesOf(run), paper), 1);
  if (column === "rankings") return <Rankings paper={paper} />;
  if (column === "moved") return <Move by={numberAt(movesOf(run), paper)} digits={MOVED_DIGITS} />;
  if (column === "calibrated") return fixed(numberAt(calibratedOf(run), paper), LEAST_DIGITS);
  if (column === "place_range" || column === "mean_range") return rangeOf(run, column, paper);
  if (column === "p_accept") return <ChanceCell chance={numberAt(cells.chances ?? [], paper)} />;
  return isStatistic(column)
    ? fixed(statisticOf(run, cells.mode, paper, column), digitsIn(run, column, cells))
    : null;
}

/** How the keyboard reaches what is in a cell: with its row. */
interface Reach {
  tabIndex: number;
  onFocus(): void;
}

/** A link that is easier to click than the number; keyboards use the number's. Below it, why a paper left
 * its places where a contradiction did it. */
function Title({ paper, cells: { rankBy, reasons } }: { paper: number; cells: Cells }) {
  const { run } = useRun();
  const title = run.view.papers.title?.[paper];
  return (
    <>
      {title && (
        <PaperLink paper={paper} tabIndex={-1} title={title}>
          {title}
        </PaperLink>
      )}
      {reasons.has(paper) && (
        <span className="reason">
          <span aria-hidden="true">⚠ </span>
          {effectText(run, paper, rankBy)}
        </span>
      )}
    </>
  );
}

/** A text that may be cut: a pointer shows it whole. */
function WholeText({ text }: { text: string | null }) {
  return text && <span title={text}>{text}</span>;
}

/** "497", "496–545" where papers are tied; an arrow where the paper left the places it shared before. */
function PlaceCell({ paper, cells: { rankBy } }: { paper: number; cells: Cells }) {
  const places = placesOf(useRun().run, rankBy);
  const now = rangeAt(places.now, paper);
  if (!now) return <span className="soft">–</span>;
  return (
    <>
      {rangeText(now)} <Direction of={leftRange(places, paper)} />
    </>
  );
}

/** The place by given scores, with a warning where a contradiction moved the paper away from it. */
function WasCell({ paper, cells: { rankBy, reasons } }: { paper: number; cells: Cells }) {
  const before = rangeAt(placesOf(useRun().run, rankBy).before, paper);
  if (!before) return <span className="soft">no scores</span>;
  return (
    <>
      {rangeText(before)}
      {reasons.has(paper) && (
        <span className="warn-text">
          <span aria-hidden="true"> ⚠</span>
          <span className="visually-hidden"> a reviewer contradicts their own score</span>
        </span>
      )}
    </>
  );
}

function Scores({ paper, mode }: { paper: number; mode: Mode }) {
  const { run } = useRun();
  const values = valuesOf(run.view, mode);
  const text = (value: number) =>
    mode === "given" ? scoreLabel(run.view, value) : fixed(value, LEAST_DIGITS);
  const reviews = run.reviewsOf[paper] ?? [];
  const more = reviews.length - MOST_SCORES;
  return (
    <>
      {reviews.map((review, place) => (
        <span key={review} className={place < MOST_SCORES ? "score" : "score rest"}>
          {text(numberAt(values, review))}{" "}
        </span>
      ))}
      {more > 0 && <span className="score-count">+{more}</span>}
    </>
  );
}

/** A chance, more than a number to those who cannot see the band of papers too close to call. */
function ChanceCell({ chance }: { chance: number }) {
  return (
    <>
      {chanceText(chance)}
      {isClose(chance) && <span className="visually-hidden"> too close to call</span>}
    </>
  );
}

/** The rankings of the paper's reviewers, one per line, in the order of the scores. */
function Rankings({ paper }: { paper: number }) {
  const { run } = useRun();
  const { view } = run;
  return run.reviewsOf[paper]?.map((review) => {
    const reviewer = numberAt(view.reviews.reviewer, review);
    return (
      <span
        key={review}
        className="ranking"
        title={`${view.reviewers[reviewer]}: ${rankingText(view, reviewer) || "no ranking"}`}
      >
        <span className="soft">{shortReviewer(view, reviewer)}: </span>
        <RankingLine reviewer={reviewer} paper={paper} />
      </span>
    );
  });
}

const TONES: Record<string, string> = { Accept: "good", Reject: "bad", Discuss: "warn" };

/** A decision, set in its cell by those who decide; one of the files that nobody took over is pale. */
function Decision({
  paper,
  decide,
  reach,
}: {
  paper: number;
  decide: Cells["decide"];
  reach: Reach;
}) {
  const { run, actions } = useRun();
  const label = decisionOf(run, paper);
  if (!decide) return label;
  const id = String(run.view.papers.paper[paper]);
  const imported = isImported(run, paper);
  const tone = label && !imported && DECISIONS.includes(label) ? (TONES[label] ?? "") : "";
  return (
    <SavedChoice
      label={`Decision on paper ${id}`}
      text={label ?? "–"}
      change={actions.saving?.of("decision", id)}
      look={`decision ${imported ? "soft" : tone}`}
      options={decisionOptions(run, imported ? `${label}, from the files` : undefined)}
      value={imported ? "" : (label ?? "")}
      onChoose={(option) => decide(paper, option || null)}
      {...(imported && { title: `${label}, from the files` })}
      {...reach}
    />
  );
}

function Tags({ paper }: { paper: number }) {
  const { run } = useRun();
  const tags = run.marks?.tags[paper] ?? [];
  return (
    <span title={tags.join(" ")}>
      {tags.map((tag) => (
        <span key={tag} className="tag">
          {tag}{" "}
        </span>
      ))}
    </span>
  );
}
