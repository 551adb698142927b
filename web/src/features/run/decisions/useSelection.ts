// The papers that are selected for a change at once. Papers that a filter hides are not selected.
import { useMemo, useRef, useState } from "react";

import { useLatestCallback } from "../../../components/browser";

export interface Selection {
  papers: number[]; // in the order of the table
  has(paper: number): boolean;
  /** Select a paper or not; with `range` all from the last one that was selected. */
  toggle(paper: number, range: boolean): void;
  choose(papers: number[]): void;
}

export function useSelection(shown: number[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const last = useRef<number | null>(null);
  const papers = useMemo(() => shown.filter((paper) => chosen.has(paper)), [shown, chosen]);
  const toggle = useLatestCallback((paper: number, range: boolean) => {
    const next = new Set(papers);
    const [from, to] = [
      last.current === null ? -1 : shown.indexOf(last.current),
      shown.indexOf(paper),
    ];
    if (range && from >= 0)
      for (const other of shown.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(other);
    else if (!next.delete(paper)) next.add(paper);
    last.current = paper;
    setChosen(next);
  });
  const choose = useLatestCallback((wanted: number[]) => {
    last.current = null;
    setChosen(new Set(wanted));
  });
  return { papers, has: (paper) => chosen.has(paper), toggle, choose };
}
