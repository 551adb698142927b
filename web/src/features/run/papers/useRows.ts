// The rows of the table, which of them are drawn, and the space in place of the others.
import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect, useMemo, useRef, type RefObject } from "react";

import { usePrinting } from "../../../components/browser";
import type { Run, View } from "../../../domain/run";
import { columnOf, type PaperColumn } from "../../../domain/columns";
import type { SortBy } from "../../../domain/order";
import type { RankBy } from "../../../domain/places";

// In rem, as in papers.css: the heights must be known before rows are drawn.
const ROW = 2.25;
const LEAST_ROWS = 2; // a title may take two
const STACKED_ROW = 1.25;
const STACKED_EDGE = 0.75;
const HEADER = 2.25;
const REVIEW = 2;
const RULE = 1.75;
const CARD = 4.25;
const REASON = 1.4; // a line below the title
/** With more rows than this, printing takes only those on screen. */
const MOST_PRINTED = 5000;

/** A row of the table: a paper, below an open paper its reviews, or the rule below the accepted papers. */
interface TableRow {
  kind: "paper" | "reviews" | "rule";
  paper: number;
}

/** `accepted`: how many papers are above the rule; null without one. */
export function rowsOf(papers: number[], open: Set<number>, accepted: number | null): TableRow[] {
  const rows: TableRow[] = [];
  const rule = { kind: "rule", paper: -1 } as const;
  papers.forEach((paper, index) => {
    if (index === accepted) rows.push(rule);
    rows.push({ kind: "paper", paper });
    if (open.has(paper)) rows.push({ kind: "reviews", paper });
  });
  if (accepted === papers.length) rows.push(rule);
  return rows;
}

interface DrawnTableRow {
  row: TableRow;
  index: number;
  space: number; // before it
  size: number;
}

const remOf = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
const offsets = new WeakMap<View, number>(); // the scroll position when the table was left

export function useRows({
  run,
  orderKey,
  rows,
  reasons,
  stacked,
  cards,
  active,
  frame,
}: {
  run: Run;
  orderKey: string; // what the order and the choice of papers depend on
  rows: TableRow[];
  reasons: ReadonlyMap<number, unknown>; // papers with a reason below their title
  stacked: boolean; // one row per review
  cards: boolean;
  active: number | undefined; // always drawn, since Tab leads to it
  frame: RefObject<HTMLDivElement | null>;
}) {
  const rem = useMemo(remOf, []);
  const { view } = run;
  const printing = usePrinting();
  const sizeOf = useCallback(
    (index: number): number => {
      const row = rows[index];
      const reviews = row ? (run.reviewsOf[row.paper]?.length ?? 0) : 0;
      if (row?.kind === "reviews") return rem * (HEADER + REVIEW * (reviews + 1));
      if (row?.kind === "rule") return rem * RULE;
      const reason = row && reasons.has(row.paper) ? REASON : 0;
      if (cards) return rem * (CARD + 3 * reason); // lines
      if (!stacked) return rem * (ROW + reason);
      return (
        rem * (STACKED_EDGE + Math.max(STACKED_ROW * LEAST_ROWS + reason, STACKED_ROW * reviews))
      );
    },
    [run, rows, reasons, stacked, cards, rem],
  );
  // A new function lays out all rows again, so it must not change at every scroll.
  const keyOf = useCallback(
    (index: number): number => {
      const row = rows[index];
      return row ? 2 * row.paper + (row.kind === "reviews" ? 1 : 0) : -1;
    },
    [rows],
  );
  const activeIndex = useMemo(
    () => rows.findIndex(({ kind, paper }) => kind === "paper" && paper === active),
    [rows, active],
  );
  const range = (visible: Range): number[] => {
    if (printing && rows.length <= MOST_PRINTED) return rows.map((_, index) => index);
    const indices = defaultRangeExtractor(visible);
    return activeIndex < 0 || indices.includes(activeIndex)
      ? indices
      : [...indices, activeIndex].sort((a, b) => a - b);
  };
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions never reach a memo
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: sizeOf,
    getItemKey: keyOf,
    rangeExtractor: range,
    overscan: 6,
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, stacked, cards]);
  useLayoutEffect(() => {
    const element = frame.current;
    element?.scrollTo(0, offsets.get(view) ?? 0);
    return () => {
      offsets.set(view, element?.scrollTop ?? 0);
    };
  }, [frame, view]);
  const before = useRef(orderKey);
  useLayoutEffect(() => {
    // Start at the top when the reader asks for another order or choice of papers.
    if (before.current !== orderKey) frame.current?.scrollTo(0, 0);
    before.current = orderKey;
  }, [frame, orderKey]);

  const drawn: DrawnTableRow[] = [];
  let end = 0;
  for (const { index, start, size, end: next } of virtualizer.getVirtualItems()) {
    const row = rows[index];
    if (!row) continue;
    drawn.push({ row, index, space: start - end, size });
    end = next;
  }
  return {
    drawn,
    spaceAfter: virtualizer.getTotalSize() - end,
    measure: virtualizer.measureElement,
    goTo: (index: number) => virtualizer.scrollToIndex(index, { align: "center" }),
  };
}

/** The columns to draw. What the table is sorted by is always among them. Cards have a few only. */
export function layoutColumns(
  columns: string[],
  cards: boolean,
  sort: SortBy[],
  rankBy: RankBy,
): PaperColumn[] {
  if (cards) {
    const optional = ["title", "p_accept", "decision"].filter((id) => columns.includes(id));
    // A card has room for the chance to be in or for the statistic, not for both.
    const number = optional.includes("p_accept") ? [] : [rankBy.statistic];
    return ["place", "was", "paper", ...optional, ...number].map(columnOf);
  }
  const sorted = sort.map(({ id }) => id).filter((id) => !columns.includes(id));
  return [...columns, ...sorted].map(columnOf);
}
