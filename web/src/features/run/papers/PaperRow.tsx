// The row of a paper, and the row of its reviews below it.
import { memo, type KeyboardEvent, type Ref } from "react";

import type { PaperColumn } from "../../../domain/columns";
import { useRun } from "../context";
import { PaperLink, ContradictionBadge, Move } from "../inline";
import { PaperCell, type Cells } from "./cells";
import { fixed, scoreText } from "../../../domain/format";
import { reviewAt } from "../../../domain/run";
import { moveSentence } from "../../../domain/sentences";
import { PlainTable } from "../../../components/DataTable";

/** Its button opens the reviews; arrow keys move between rows. */
interface PaperRowProps {
  paper: number;
  columns: PaperColumn[]; // in order
  cells: Cells;
  rowIndex: number;
  height: number;
  open: boolean;
  active: boolean; // the one row that Tab reaches
  mark: string; // classes, by the line
  selected: boolean | null; // null where papers cannot be selected
  onSelect: ((paper: number, range: boolean) => void) | undefined;
  onToggle(paper: number): void;
  onKey(event: KeyboardEvent, paper: number): void;
  onReach(paper: number): void;
}

/** Drawn again only when one of its properties changes, not at every scroll. */
export const PaperRow = memo(function PaperRow({
  paper,
  columns,
  cells,
  rowIndex,
  height,
  open,
  active,
  mark,
  selected,
  onSelect,
  onToggle,
  onKey,
  onReach,
}: PaperRowProps) {
  const { run } = useRun();
  const id = run.view.papers.paper[paper];
  const tabIndex = active ? 0 : -1;
  const onFocus = () => onReach(paper);
  const reach = {
    tabIndex,
    onKeyDown: (event: KeyboardEvent) => {
      if (onSelect && event.key.toLowerCase() === "x" && !event.ctrlKey && !event.metaKey)
        onSelect(paper, event.shiftKey);
      onKey(event, paper);
    },
    onFocus,
  };
  return (
    <tr
      aria-rowindex={rowIndex}
      className={`paper-row ${open ? "open" : ""} ${selected ? "selected" : ""} ${mark} ${cells.reasons.has(paper) ? "reasoned" : ""}`}
      style={{ height }}
    >
      {columns.map((column) => {
        const { id: name, title, textAt, isNumber } = column;
        if (name === "paper")
          return (
            <th key={name} scope="row" className="col-paper">
              {selected !== null && (
                <input
                  type="checkbox"
                  className="picker no-print"
                  aria-label={`Select paper ${id}`}
                  checked={selected}
                  onChange={() => {}} // the click knows of Shift
                  onClick={(event) => onSelect?.(paper, event.shiftKey)}
                  {...reach}
                />
              )}
              <button
                type="button"
                className="opener"
                data-paper={paper}
                aria-expanded={open}
                aria-label={`Reviews of paper ${id}`}
                onClick={() => onToggle(paper)}
                {...reach}
              >
                <span aria-hidden="true" />
              </button>
              <PaperLink paper={paper} {...reach}>
                {id}
              </PaperLink>
            </th>
          );
        return (
          <td
            key={name}
            data-name={title}
            dir={textAt && "auto"}
            className={`col-${name} ${isNumber ? "number" : ""} ${name === cells.rankBy.statistic ? "sorted" : ""}`}
          >
            <PaperCell column={column} paper={paper} cells={cells} reach={{ tabIndex, onFocus }} />
          </td>
        );
      })}
    </tr>
  );
});

/** The reviews of a paper, under its row. */
export function ReviewsRow({
  paper,
  span,
  index,
  rowIndex,
  measure,
}: {
  paper: number;
  span: number;
  index: number;
  rowIndex: number;
  measure: Ref<HTMLTableRowElement>;
}) {
  const { run } = useRun();
  const { papers, reviewers } = run.view;
  const id = papers.paper[paper];
  const at = (review: number) => reviewAt(run.view, review);
  return (
    <tr ref={measure} data-index={index} aria-rowindex={rowIndex} className="reviews-row">
      <td colSpan={span}>
        <div className="reviews-row-inside">
          <PlainTable
            label={`Reviews of paper ${id}`}
            rows={run.reviewsOf[paper] ?? []}
            keyOf={(review) => review}
            columns={[
              { head: "Reviewer", cell: (review) => reviewers[at(review).reviewer], names: true },
              {
                head: "Given",
                cell: (review) => scoreText(run.view, at(review).score),
                number: true,
              },
              {
                head: "New score",
                cell: (review) => fixed(at(review).dequantized, 3),
                number: true,
              },
              {
                head: "Percentile",
                cell: (review) => fixed(at(review).percentile, 1),
                number: true,
              },
              {
                head: "Move",
                cell: (review) => <Move by={at(review).move} />,
                number: true,
              },
              {
                head: "Why",
                cell: (review) => (
                  <>
                    {moveSentence(run, review)}
                    {run.contradicts.has(review) && <ContradictionBadge />}
                  </>
                ),
              },
            ]}
          />
          <PaperLink paper={paper}>Open paper {id}</PaperLink>
        </div>
      </td>
    </tr>
  );
}
