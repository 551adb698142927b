// The table of papers. Only the rows on screen are drawn: TanStack Virtual chooses them.
import { useImperativeHandle, useMemo, useRef, type Ref } from "react";

import { isSortable, widthOf, type PaperColumn } from "../../../domain/columns";
import { statisticDigits } from "../../../domain/digits";
import { keepRankBy, sortedBy, type SortBy } from "../../../domain/order";
import { contradictionEffects } from "../../../domain/reviewerContradictions";
import { reachOf, type Line } from "../../../domain/line";
import { writeOpen, writeSort, type TableState } from "../../../domain/tableState";
import { useLatestCallback } from "../../../components/browser";
import { rangeText } from "../../../domain/places";
import { useRun } from "../context";
import type { MarkChange } from "../decisions/BulkBar";
import type { Selection } from "./useRowKeys";
import { useTable } from "../useTable";
import { layoutColumns, rowsOf, useRows } from "./useRows";
import { PaperRow, ReviewsRow } from "./PaperRow";
import { useRowKeys } from "./useRowKeys";
import { count } from "../../../domain/format";

export function PapersTable({
  accepted,
  cards,
  toLine,
  selection,
  change,
}: {
  accepted: number | null; // how many papers are above the rule; null without one
  cards: boolean; // on small screens
  toLine: Ref<() => void>; // scrolls to the line
  selection: Selection | null; // where papers can be selected
  change: MarkChange;
}) {
  const { run } = useRun();
  const table = useTable();
  const { state, papers, rankBy, line } = table;
  const frame = useRef<HTMLDivElement>(null);
  const stacked = state.columns.includes("rankings") && !cards;
  const rows = useMemo(() => rowsOf(papers, state.open, accepted), [papers, state.open, accepted]);
  const orderKey = orderKeyOf(state);
  const keys = useRowKeys(papers, frame);
  const reasons = contradictionEffects(run, rankBy);
  const { active } = keys;
  const shown = useRows({ run, orderKey, rows, reasons, stacked, cards, active, frame });
  useImperativeHandle(
    toLine,
    () => () => shown.goTo(rows.findIndex(({ kind }) => kind === "rule")),
  );
  const decide = useLatestCallback((paper: number, label: string | null) => {
    const id = String(run.view.papers.paper[paper]);
    change.apply(`Paper ${id}: ${label ?? "no decision"}`, (to) => to.decide([id], label));
  });
  const decides = selection !== null;
  const { mode, accept } = state;
  const digits = useMemo(
    () => statisticDigits(run, mode, rankBy.statistic, papers),
    [run, mode, rankBy, papers],
  );
  const cells = useMemo(() => {
    const chances = line?.chances ?? null;
    const numbers = { mode, rankBy, accept, digits };
    return { ...numbers, chances, reasons, decide: decides ? decide : undefined };
  }, [mode, rankBy, accept, digits, line, reasons, decides, decide]);
  const columns = useMemo(
    () => layoutColumns(state.columns, cards, state.sort, rankBy),
    [state.columns, cards, state.sort, rankBy],
  );
  const widths = useMemo(
    () => columns.map((column) => widthOf(run, column, stacked)),
    [run, columns, stacked],
  );
  const sortBy = (column: string, adding: boolean) =>
    table.set(writeSort(keepRankBy(sortedBy(state.sort, column, adding), state.sort)));
  const toggle = useLatestCallback((paper: number) => {
    const open = new Set(state.open);
    if (!open.delete(paper)) open.add(paper);
    table.show(writeOpen(open, run));
  });
  return (
    <div className="papers-frame" ref={frame}>
      <table
        className={`papers-table ${stacked ? "stacked" : ""} ${cards ? "cards" : ""}`}
        aria-label="Papers"
        aria-rowcount={rows.length + 1}
        style={cards ? {} : { minWidth: `calc(${widths.join(" + ")})` }}
      >
        <colgroup>
          {columns.map(({ id }, index) => (
            <col key={id} style={id === "title" ? {} : { width: widths[index] }} />
          ))}
        </colgroup>
        <thead className={cards ? "visually-hidden" : ""}>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <HeaderCell
                key={column.id}
                column={column}
                sort={state.sort}
                plain={cards}
                onSort={sortBy}
                selection={selection}
                papers={papers}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.drawn.flatMap(({ row: { kind, paper }, index, space, size }) => [
            space > 0 && <Space key={`space ${index}`} height={space} />,
            kind === "rule" ? (
              <RuleRow key="rule" span={columns.length} rowIndex={index + 2} height={size} />
            ) : kind === "paper" ? (
              <PaperRow
                key={paper}
                paper={paper}
                columns={columns}
                cells={cells}
                rowIndex={index + 2}
                height={size}
                open={state.open.has(paper)}
                active={active === paper}
                mark={line ? marksOf(line, paper) : ""}
                selected={selection ? selection.has(paper) : null}
                onSelect={selection?.toggle}
                onToggle={toggle}
                onKey={keys.onKey}
                onReach={keys.onFocus}
              />
            ) : (
              <ReviewsRow
                key={`open ${paper}`}
                paper={paper}
                span={columns.length}
                index={index}
                rowIndex={index + 2}
                measure={shown.measure}
              />
            ),
          ])}
          {shown.spaceAfter > 0 && <Space height={shown.spaceAfter} />}
        </tbody>
      </table>
    </div>
  );
}

/** What the order and the choice of papers depend on, but for the chairs' marks. */
const orderKeyOf = ({ mode, sort, filter, accept }: TableState): string =>
  JSON.stringify([mode, sort, filter, filter.part && accept]);

/** The edge of papers above the line, the band of those too close to call, and those still tied. */
const marksOf = ({ above, parts }: Line, paper: number): string =>
  [above[paper] && "above", parts.close[paper] && "close", parts.tied[paper] && "tied"]
    .filter(Boolean)
    .join(" ");

/** The height of the rows that are not drawn. */
function Space({ height }: { height: number }) {
  return <tr aria-hidden="true" className="space" style={{ height }} />;
}

/** The line between the papers above it and those below. */
function RuleRow({ span, rowIndex, height }: { span: number; rowIndex: number; height: number }) {
  const { run } = useRun();
  const { line, state, rankBy } = useTable();
  if (!line) return null;
  const { track } = state.filter.values;
  const reach = line.accept.perTrack ? null : reachOf(run, rankBy, line);
  const close = `too close to call: ${count(line.counts.close)} papers`;
  const text = [
    line.accept.perTrack ? `Line in ${track}` : `${count(line.places - line.unfilled)} in`,
    ...(reach ? [`${close}, placed ${rangeText(reach)}`] : []),
  ].join(" · ");
  return (
    <tr className="rule-row" aria-rowindex={rowIndex} style={{ height }}>
      <td colSpan={span}>
        <span className="rule-text">{text}</span>
      </td>
    </tr>
  );
}

/** The header of a column. A click sorts by it; Shift + click adds it to the sorting. */
function HeaderCell({
  column,
  sort,
  plain,
  onSort,
  selection,
  papers,
}: {
  column: PaperColumn;
  sort: SortBy[];
  plain: boolean; // without a button: a list chooses the order
  onSort(column: string, adding: boolean): void;
  selection: Selection | null;
  papers: number[]; // shown
}) {
  const { id, title, text, isNumber } = column;
  const rank = sort.findIndex((each) => each.id === id);
  const sorted = sort[rank];
  const classes = `col-${id} ${isNumber ? "number" : ""}`;
  if (plain || !isSortable(column))
    return (
      <th scope="col" className={`${classes} plain`} title={text}>
        {title}
      </th>
    );
  return (
    <th
      scope="col"
      className={classes}
      title={text}
      aria-sort={sorted && (sorted.desc ? "descending" : "ascending")}
    >
      {id === "paper" && selection && <SelectAll selection={selection} papers={papers} />}
      <button type="button" onClick={(event) => onSort(id, event.shiftKey)}>
        {title}
        <span aria-hidden="true" className="sort-mark">
          {sorted && (sorted.desc ? "↓" : "↑")}
          {sorted && sort.length > 1 ? <small>{rank + 1}</small> : null}
        </span>
      </button>
    </th>
  );
}

/** Selects all papers that are shown, or none. */
function SelectAll({ selection, papers }: { selection: Selection; papers: number[] }) {
  const all = selection.papers.length === papers.length;
  return (
    <input
      type="checkbox"
      className="picker no-print"
      aria-label={`Select all ${count(papers.length)} papers shown`}
      checked={all}
      ref={(box) => {
        if (box) box.indeterminate = !all && selection.papers.length > 0;
      }}
      onChange={() => selection.choose(all ? [] : papers)}
    />
  );
}
