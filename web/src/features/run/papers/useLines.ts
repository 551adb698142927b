// Which lines are drawn, and the space that stands for the others.
import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import { useCallback, useLayoutEffect, useMemo, useRef, type RefObject } from "react";

import type { Run } from "../../../domain/run";
import type { Line } from "./lines";
import { usePrinting } from "./usePrinting";

// In rem, as in papers.css.
const ROW = 2.25;
const LEAST_LINES = 2; // a title may take two
const STACKED_LINE = 1.25;
const STACKED_EDGE = 0.75;
const HEADER = 2.25;
const REVIEW = 2;
/** Beyond this a printer would not thank us. */
const MOST_PRINTED = 5000;

export interface Part {
  line: Line;
  index: number;
  space: number; // before it
  size: number;
}

const remOf = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
const offsets = new WeakMap<Run, number>(); // where the reader was when they left the table

export function useLines({
  run,
  papers,
  lines,
  stacked,
  active,
  frame,
}: {
  run: Run;
  papers: number[];
  lines: Line[];
  stacked: boolean; // one line a review
  active: number | undefined; // drawn wherever it is, since Tab leads to it
  frame: RefObject<HTMLDivElement | null>;
}) {
  const rem = useMemo(remOf, []);
  const printing = usePrinting();
  const sizeOf = useCallback(
    (index: number): number => {
      const line = lines[index];
      const reviews = line ? (run.reviewsOf[line.paper]?.length ?? 0) : 0;
      if (line?.kind === "reviews") return rem * (HEADER + REVIEW * (reviews + 1));
      return rem * (stacked ? STACKED_EDGE + STACKED_LINE * Math.max(LEAST_LINES, reviews) : ROW);
    },
    [run, lines, stacked, rem],
  );
  // All lines are laid out anew when this function is another one: not at every scroll, then.
  const keyOf = useCallback(
    (index: number): number => {
      const line = lines[index];
      return line ? 2 * line.paper + (line.kind === "reviews" ? 1 : 0) : -1;
    },
    [lines],
  );
  const place = useMemo(
    () => lines.findIndex(({ kind, paper }) => kind === "paper" && paper === active),
    [lines, active],
  );
  const range = (asked: Range): number[] => {
    if (printing && lines.length <= MOST_PRINTED) return lines.map((_, index) => index);
    const indices = defaultRangeExtractor(asked);
    return place < 0 || indices.includes(place)
      ? indices
      : [...indices, place].sort((a, b) => a - b);
  };
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions never reach a memo
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: sizeOf,
    getItemKey: keyOf,
    rangeExtractor: range,
    overscan: 6,
  });
  useLayoutEffect(() => rows.measure(), [rows, stacked]);
  useLayoutEffect(() => {
    const element = frame.current;
    element?.scrollTo(0, offsets.get(run) ?? 0);
    return () => {
      offsets.set(run, element?.scrollTop ?? 0);
    };
  }, [frame, run]);
  const before = useRef(papers);
  useLayoutEffect(() => {
    // Another order or choice of papers starts at its beginning.
    if (before.current !== papers) frame.current?.scrollTo(0, 0);
    before.current = papers;
  }, [frame, papers]);

  const parts: Part[] = [];
  let end = 0;
  for (const { index, start, size, end: next } of rows.getVirtualItems()) {
    const line = lines[index];
    if (!line) continue;
    parts.push({ line, index, space: start - end, size });
    end = next;
  }
  return { parts, spaceAfter: rows.getTotalSize() - end, measure: rows.measureElement };
}
