// Moving between rows by keyboard, and selecting papers for a change at once.
import {
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
  useMemo,
} from "react";

import { useLatestCallback } from "../../../components/browser";

interface RowKeys {
  active: number | undefined; // a paper
  onKey(event: KeyboardEvent, paper: number): void;
  onFocus(paper: number): void;
}

const PAGE = 10;

export function useRowKeys(papers: number[], frame: RefObject<HTMLDivElement | null>): RowKeys {
  const [chosen, setChosen] = useState<number | undefined>();
  const pending = useRef<number | null>(null); // to be focused once its row is drawn
  const active = chosen !== undefined && papers.includes(chosen) ? chosen : papers[0];
  useLayoutEffect(() => {
    if (pending.current === null) return;
    const button = frame.current?.querySelector<HTMLElement>(`[data-paper="${pending.current}"]`);
    if (!button) return;
    pending.current = null;
    button.focus({ preventScroll: true });
    button.closest("tr")?.scrollIntoView({ block: "nearest" });
  });
  const onKey = useLatestCallback((event: KeyboardEvent, paper: number) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = nextIndex(event.key, papers.indexOf(paper), papers.length);
    const target = next === null ? undefined : papers[next];
    if (target === undefined) return;
    event.preventDefault();
    pending.current = target;
    setChosen(target);
    // The row may be the active one already: then nothing is rendered again.
    if (target === paper) pending.current = null;
  });
  return { active, onKey, onFocus: setChosen };
}

function nextIndex(key: string, index: number, length: number): number | null {
  const to: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + PAGE,
    PageUp: index - PAGE,
    Home: 0,
    End: length - 1,
  };
  const next = to[key];
  return next === undefined ? null : Math.min(Math.max(next, 0), length - 1);
}

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
