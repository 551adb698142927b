// The cells of the table of papers.
import { isStatistic, isText, textAt, type Column } from "../../../domain/columns";
import { LEAST_DIGITS, orderDigits } from "../../../domain/digits";
import { fixed, scoreLabel } from "../../../domain/format";
import { placesOf, rangeAt, type RankBy } from "../../../domain/places";
import { directionOf, rangeText, tiedText } from "../../../domain/placeSentences";
import { rankingText, shortReviewer } from "../../../domain/rankings";
import { hasScores, numberAt, statisticOf, valuesOf, type Mode } from "../../../domain/run";
import { chanceText, isGrey, rangeOf } from "../../../domain/uncertainty";
import { useRun } from "../context";
import { PaperLink, RankingLine, Move, Direction, PlaceChange } from "../inline";
import { digitsIn, MOST_SCORES, MOVED_DIGITS, type Cells } from "./widths";
import { decisionOf, isImported } from "../../../domain/decisions";
import { DECISIONS, type Statistic } from "../../../domain/glossary";
import "../decisions/decisions.css";

/** What a row shows in a column; the paper's own cell is drawn by the row. */
export function PaperCell({
  column,
  paper,
  cells,
}: {
  column: Column;
  paper: number;
  cells: Cells;
}) {
  const { run } = useRun();
  const { mode, rankBy } = cells;
  if (column === "place") return <PlaceCell paper={paper} mode={mode} rankBy={rankBy} />;
  if (column === "title") return <Title paper={paper} />;
  if (column === "decision") return <Decision paper={paper} />;
  if (column === "tags") return <Tags paper={paper} />;
  if (isText(column)) return textAt(run, column, paper) ?? "";
  if (column === "reviews") return run.reviewsOf[paper]?.length;
  if (column === "scores") return <Scores paper={paper} mode={mode} />;
  if (column === "rankings") return <Rankings paper={paper} />;
  if (column === "change") return <PlaceChange paper={paper} mode={mode} rankBy={rankBy} />;
  if (column === "moved") return <Move by={numberAt(run.moved, paper)} digits={MOVED_DIGITS} />;
  if (column === "place_range" || column === "mean_range") return rangeOf(run, column, paper);
  if (column === "p_accept") return <ChanceCell chance={numberAt(cells.chances ?? [], paper)} />;
  return isStatistic(column) ? (
    <StatisticCell paper={paper} statistic={column} cells={cells} />
  ) : null;
}

/** A link that is easier to click than the number; keyboards use the number's. */
function Title({ paper }: { paper: number }) {
  const title = useRun().run.view.papers.title?.[paper];
  if (!title) return null;
  return (
    <PaperLink paper={paper} tabIndex={-1} title={title}>
      {title}
    </PaperLink>
  );
}

/** "497 ↑ (496–545 tied)": the place now, and by given scores; the other way round in their mode. */
function PlaceCell({ paper, mode, rankBy }: { paper: number; mode: Mode; rankBy: RankBy }) {
  const { run } = useRun();
  const places = placesOf(run, mode, rankBy);
  const [before, now] = [rangeAt(places.before, paper), rangeAt(places.now, paper)];
  if (!before || !now) return <span className="soft">no scores</span>;
  const direction = directionOf(numberAt(places.change, paper));
  if (mode === "given" && hasScores(run.view))
    return (
      <>
        {tiedText(before)}
        {tiedText(before) !== tiedText(now) && (
          <span className="place-other">
            {" "}
            (now {rangeText(now)} <Direction of={direction} />)
          </span>
        )}
      </>
    );
  return (
    <>
      {rangeText(now)} <Direction of={direction} />
      {tiedText(before) !== tiedText(now) && (
        <span className="place-other">
          {" "}
          <span className="visually-hidden">before: </span>({tiedText(before)})
        </span>
      )}
    </>
  );
}

/** A statistic. The sorted column has enough digits to distinguish its papers; digits that are not
 * needed to distinguish a paper from its neighbours are pale. */
function StatisticCell({
  paper,
  statistic,
  cells,
}: {
  paper: number;
  statistic: Statistic;
  cells: Cells;
}) {
  const { run } = useRun();
  const { mode, rankBy, papers, sorted } = cells;
  const digits = digitsIn(run, statistic, cells);
  const value = statisticOf(run, mode, paper, statistic);
  const text = fixed(value, digits);
  if (!sorted || statistic !== rankBy.statistic || Number.isNaN(value)) return text;
  const place = papers.indexOf(paper);
  const beside = [papers[place - 1], papers[place + 1]]
    .map((other) => statisticOf(run, mode, other ?? -1, statistic))
    .filter((other) => !Number.isNaN(other));
  const pale = digits - Math.max(LEAST_DIGITS[mode], orderDigits(value, beside, digits));
  if (pale <= 0) return text;
  return (
    <>
      {text.slice(0, -pale)}
      <span className="pale">{text.slice(-pale)}</span>
    </>
  );
}

function Scores({ paper, mode }: { paper: number; mode: Mode }) {
  const { run } = useRun();
  const values = valuesOf(run.view, mode);
  const text = (value: number) =>
    mode === "given" ? scoreLabel(run.view, value) : fixed(value, LEAST_DIGITS[mode]);
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

/** P(accept), more than a number to those who cannot see the tint of the grey zone. */
function ChanceCell({ chance }: { chance: number }) {
  return (
    <>
      {chanceText(chance)}
      {isGrey(chance) && <span className="visually-hidden"> grey zone</span>}
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

/** A decision; one of the import that nobody has taken over is pale. */
function Decision({ paper }: { paper: number }) {
  const { run } = useRun();
  const label = decisionOf(run, paper);
  if (!label) return null;
  if (!run.marks) return label;
  if (isImported(run, paper))
    return (
      <span className="soft" title={`${label}, from the files`}>
        {label} <small>imported</small>
      </span>
    );
  const tone = DECISIONS.includes(label) ? TONES[label] : "";
  return (
    <span className={`badge ${tone}`} title={label}>
      {label}
    </span>
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
