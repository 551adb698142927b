// The table of papers. Only the rows on screen are drawn: TanStack Virtual chooses them.
import { useImperativeHandle, useMemo, useRef, type Ref } from "react";

import {
  COLUMN_NAMES,
  COLUMN_TEXTS,
  isNumber,
  isSortable,
  type Column,
} from "../../../domain/columns";
import { keepRankBy, sortedBy, type SortBy } from "../../../domain/order";
import { writeOpen, writeSort, type TableState } from "../../../domain/tableState";
import { useLatestCallback } from "../../../components/browser";
import { useRun } from "../context";
import type { Selection } from "../decisions/useSelection";
import type { Table } from "../useTable";
import { layoutColumns, useLayout, rowsOf, useRows } from "./useRows";
import { PaperRow, ReviewsRow } from "./PaperRow";
import { acceptedOf, lineMarkOf, type ShownLine } from "../line/useLine";
import { useRowKeys } from "./useRowKeys";
import { widthOf } from "./widths";
import { count } from "../../../domain/format";

export function PapersTable({
  table,
  line,
  toLine,
  selection,
}: {
  table: Table;
  line: ShownLine | null;
  toLine: Ref<() => void>; // scrolls to the line
  selection: Selection | null; // where papers can be selected
}) {
  const { run } = useRun();
  const { state, papers, rankBy } = table;
  const frame = useRef<HTMLDivElement>(null);
  const layout = useLayout();
  const cards = layout === "cards";
  const stacked = state.columns.includes("rankings") && !cards;
  const accepted = acceptedOf(line, table);
  const rows = useMemo(() => rowsOf(papers, state.open, accepted), [papers, state.open, accepted]);
  const orderKey = orderKeyOf(state);
  const keys = useRowKeys(papers, frame);
  const shown = useRows({ run, orderKey, rows, stacked, cards, active: keys.active, frame });
  useImperativeHandle(
    toLine,
    () => () => shown.goTo(rows.findIndex(({ kind }) => kind === "rule")),
  );
  const cells = useMemo(() => {
    const sorted = state.sort[0]?.id === rankBy.statistic;
    const chances = line?.chances ?? null;
    return { mode: state.mode, rankBy, accept: state.accept, chances, papers, sorted, stacked };
  }, [state.mode, state.sort, state.accept, line, rankBy, papers, stacked]);
  const columns = useMemo(
    () => layoutColumns(state.columns, layout, state.sort, rankBy),
    [state.columns, layout, state.sort, rankBy],
  );
  const widths = useMemo(
    () => columns.map((column) => widthOf(run, column, cells)),
    [run, columns, cells],
  );
  const sortBy = (column: Column, adding: boolean) =>
    table.set(writeSort(run, keepRankBy(sortedBy(state.sort, column, adding), state.sort)));
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
          {columns.map((column, place) => (
            <col key={column} style={column === "title" ? {} : { width: widths[place] }} />
          ))}
        </colgroup>
        <thead className={cards ? "visually-hidden" : ""}>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <HeaderCell
                key={column}
                column={column}
                sort={state.sort}
                plain={cards}
                onSort={sortBy}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.drawn.flatMap(({ row: { kind, paper }, index, space, size }) => [
            space > 0 && <Space key={`space ${index}`} height={space} />,
            kind === "rule" ? (
              <RuleRow
                key="rule"
                span={columns.length}
                rowIndex={index + 2}
                height={size}
                line={line}
                table={table}
              />
            ) : kind === "paper" ? (
              <PaperRow
                key={paper}
                paper={paper}
                columns={columns}
                cells={cells}
                rowIndex={index + 2}
                height={size}
                open={state.open.has(paper)}
                active={keys.active === paper}
                mark={lineMarkOf(line, paper)}
                selected={selection ? selection.has(paper) : null}
                onSelect={selection?.toggle}
                onToggle={toggle}
                onKey={keys.onKey}
                onFocus={keys.onFocus}
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

/** The height of the rows that are not drawn. */
function Space({ height }: { height: number }) {
  return <tr aria-hidden="true" className="space" style={{ height }} />;
}

/** The line between the papers above it and those below. */
function RuleRow({
  span,
  rowIndex,
  height,
  line,
  table,
}: {
  span: number;
  rowIndex: number;
  height: number;
  line: ShownLine | null;
  table: Table;
}) {
  const { filter } = table.state;
  const where = line?.accept.perTrack ? ` in ${filter.track ?? "each track"}` : "";
  const text =
    line && !line.accept.perTrack ? `${count(line.places)} accepted above` : `Line${where}`;
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
}: {
  column: Column;
  sort: SortBy[];
  plain: boolean; // without a button: a list chooses the order
  onSort(column: Column, adding: boolean): void;
}) {
  const { run } = useRun();
  const place = sort.findIndex(({ id }) => id === column);
  const sorted = sort[place];
  const classes = `col-${column} ${isNumber(column) ? "number" : ""}`;
  const explained = COLUMN_TEXTS[column];
  if (plain || !isSortable(run, column))
    return (
      <th scope="col" className={`${classes} plain`} title={explained}>
        {COLUMN_NAMES[column]}
      </th>
    );
  return (
    <th
      scope="col"
      className={classes}
      title={explained}
      aria-sort={sorted && (sorted.desc ? "descending" : "ascending")}
    >
      <button type="button" onClick={(event) => onSort(column, event.shiftKey)}>
        {COLUMN_NAMES[column]}
        <span aria-hidden="true" className="sort-mark">
          {sorted && (sorted.desc ? "↓" : "↑")}
          {sorted && sort.length > 1 ? <small>{place + 1}</small> : null}
        </span>
      </button>
    </th>
  );
}
