// The cells of the table of papers.
import type { ComponentType } from "react";

import { MOST_SCORES, type Numbers, type PaperColumn } from "../../../domain/columns";
import { decisionOf, isImported } from "../../../domain/decisions";
import { LEAST_DIGITS } from "../../../domain/digits";
import { fixed, scoreLabel } from "../../../domain/format";
import { DECISIONS } from "../../../domain/glossary";
import { leftRange, placesOf, rangeAt, rangeText } from "../../../domain/places";
import { rankingText, shortReviewer } from "../../../domain/rankings";
import { effectText } from "../../../domain/reviewerContradictions";
import { movesOf, numberAt } from "../../../domain/run";
import { chanceText, isClose } from "../../../domain/uncertainty";
import { useRun, useActions } from "../context";
import { decisionOptions, SavedChoice } from "../decisions/SavedChoice";
import { Direction, Move, PaperLink, RankingLine } from "../inline";
import "../decisions/decisions.css";

/** What the cells of the table depend on. */
export interface Cells extends Numbers {
  chances: Float64Array | null; // to be above the line
  reasons: ReadonlyMap<number, unknown>; // papers with a reason below their title
  /** Sets a decision in its cell; absent where the viewer decides nothing. */
  decide: ((paper: number, label: string | null) => void) | undefined;
  digits: number; // of what gives the places: enough to distinguish the papers shown
}

interface CellProps {
  paper: number;
  cells: Cells;
  /** How the keyboard reaches what is in a cell: with its row. */
  reach: { tabIndex: number; onFocus(): void };
}

/** Cells that are more than a text, by column; the paper's own cell is drawn by the row. */
const CELLS: Partial<Record<string, ComponentType<CellProps>>> = {
  place: PlaceCell,
  was: WasCell,
  title: Title,
  scores: GivenScores,
  new_scores: NewScores,
  rankings: Rankings,
  moved: Moved,
  p_accept: ChanceCell,
  decision: Decision,
  tags: Tags,
};

/** What a row shows in a column. */
export function PaperCell({ column, ...props }: CellProps & { column: PaperColumn }) {
  const { run } = useRun();
  const Cell = CELLS[column.id];
  if (Cell) return <Cell {...props} />;
  const text = column.textAt?.(run, props.paper);
  // A text may be cut: a pointer shows it whole.
  if (text) return <span title={text}>{text}</span>;
  return column.cell?.(run, props.paper, props.cells);
}

/** A link that is easier to click than the number; keyboards use the number's. Below it, why a paper left
 * its places where a contradiction did it. */
function Title({ paper, cells: { rankBy, reasons } }: CellProps) {
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

/** "497", "496–545" where papers are tied; an arrow where the paper left the places it shared before. */
function PlaceCell({ paper, cells: { rankBy } }: CellProps) {
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
function WasCell({ paper, cells: { rankBy, reasons } }: CellProps) {
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

function GivenScores({ paper }: CellProps) {
  const { view } = useRun().run;
  return <Scores paper={paper} values={view.reviews.score} text={(n) => scoreLabel(view, n)} />;
}

function NewScores({ paper }: CellProps) {
  const values = useRun().run.view.reviews.dequantized;
  return <Scores paper={paper} values={values} text={(value) => fixed(value, LEAST_DIGITS)} />;
}

function Scores({
  paper,
  values,
  text,
}: {
  paper: number;
  values: number[];
  text(value: number): string;
}) {
  const { run } = useRun();
  const reviews = run.reviewsOf[paper] ?? [];
  const more = reviews.length - MOST_SCORES;
  return (
    <>
      {reviews.map((review, index) => (
        <span key={review} className={index < MOST_SCORES ? "score" : "score rest"}>
          {text(numberAt(values, review))}{" "}
        </span>
      ))}
      {more > 0 && <span className="score-count">+{more}</span>}
    </>
  );
}

/** A chance, more than a number to those who cannot see the band of papers too close to call. */
function ChanceCell({ paper, cells }: CellProps) {
  const chance = numberAt(cells.chances ?? [], paper);
  return (
    <>
      {chanceText(chance)}
      {isClose(chance) && <span className="visually-hidden"> too close to call</span>}
    </>
  );
}

function Moved({ paper }: CellProps) {
  return <Move by={numberAt(movesOf(useRun().run), paper)} digits={3} />;
}

/** The rankings of the paper's reviewers, one per line, in the order of the scores. */
function Rankings({ paper }: CellProps) {
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
function Decision({ paper, cells: { decide }, reach }: CellProps) {
  const { run } = useRun();
  const actions = useActions();
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

function Tags({ paper }: CellProps) {
  const { run } = useRun();
  const tags = run.marks?.tags[paper] ?? [];
  return (
    <span title={tags.join(" ")}>
      {tags.map((tag) => (
        <span key={tag} className="badge tag">
          {tag}{" "}
        </span>
      ))}
    </span>
  );
}
