// Dragging by mouse, pen or finger, with pointer events.
import { useEffect, useRef, useState, type PointerEvent } from "react";

import { groupOf, without, type Order, type MoveTarget } from "./ballotOrder";

/** Where the paper would go, for the mark on the page. */
type DropMark =
  | { kind: "before" | "after" | "with"; paper: string }
  | { kind: "end" | "unplaced" | "cannot_say" };

export interface Drag {
  paper: string;
  x: number;
  y: number;
  mark: DropMark | null;
}

export interface DragHandlers {
  onPointerDown(event: PointerEvent<HTMLElement>): void;
  onPointerMove(event: PointerEvent<HTMLElement>): void;
  onPointerUp(event: PointerEvent<HTMLElement>): void;
  onPointerCancel(): void;
}

const LEAST = 5; // pixels; less is a click
const EDGE = 70; // pixels from the edge of the window in which it scrolls
const SPEED = 14; // pixels per frame, at most

export function useDrag({
  order,
  ties,
  onDrop,
}: {
  order: Order;
  ties: boolean;
  onDrop(paper: string, target: MoveTarget): void;
}) {
  const [drag, setDrag] = useState<Drag | null>(null);
  // Pointer events come faster than the page is drawn: what they need to know is not in the state.
  const now = useRef<{ paper: string; pointer: number; moving: boolean; x: number; y: number }>(
    null,
  );
  const dragging = drag !== null;

  const follow = () => {
    if (!now.current?.moving) return;
    const { paper, x, y } = now.current;
    setDrag({ paper, x, y, mark: markAt(x, y, paper, ties) });
  };
  const stop = () => {
    now.current = null;
    setDrag(null);
  };
  useEdgeScroll(dragging, () => now.current?.y ?? null, follow);
  useEffect(() => {
    if (!dragging) return;
    const escape = (event: KeyboardEvent) => event.key === "Escape" && stop();
    window.addEventListener("keydown", escape);
    return () => window.removeEventListener("keydown", escape);
  }, [dragging]);

  const handlers = (paper: string): DragHandlers => ({
    onPointerDown({ button, clientX: x, clientY: y, pointerId, currentTarget }) {
      if (button !== 0 || now.current) return;
      now.current = { paper, pointer: pointerId, moving: false, x, y };
      currentTarget.setPointerCapture(pointerId);
    },
    onPointerMove({ clientX: x, clientY: y, pointerId }) {
      const from = now.current;
      if (from?.pointer !== pointerId) return;
      if (!from.moving && Math.hypot(x - from.x, y - from.y) < LEAST) return;
      now.current = { ...from, moving: true, x, y };
      follow();
    },
    onPointerUp({ clientX: x, clientY: y, pointerId }) {
      const from = now.current;
      if (from?.pointer !== pointerId) return;
      const mark = from.moving ? markAt(x, y, paper, ties) : null;
      stop();
      if (mark) onDrop(paper, targetFor(mark, order, paper));
    },
    onPointerCancel: stop,
  });
  return { drag, handlers };
}

/** Scroll while the pointer is near an edge of the window, and keep the mark where the pointer is. */
function useEdgeScroll(on: boolean, height: () => number | null, follow: () => void): void {
  const latest = useRef({ height, follow });
  useEffect(() => {
    latest.current = { height, follow };
  });
  useEffect(() => {
    if (!on) return;
    let frame = 0;
    const step = () => {
      const y = latest.current.height();
      const over = y === null ? 0 : Math.min(0, y - EDGE) + Math.max(0, y - innerHeight + EDGE);
      if (over) {
        window.scrollBy(0, (SPEED * Math.max(-EDGE, Math.min(EDGE, over))) / EDGE);
        latest.current.follow();
      }
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [on]);
}

function markAt(x: number, y: number, paper: string, ties: boolean): DropMark | null {
  const zone = zoneAt(x, y);
  if (!zone) return null;
  if (zone.dataset.zone !== "placed") return { kind: zone.dataset.zone as "unplaced" };
  const rows = [...zone.querySelectorAll<HTMLElement>("[data-paper]")].filter(
    (row) => row.dataset.paper !== paper,
  );
  for (const [index, row] of rows.entries()) {
    const { top, height } = row.getBoundingClientRect();
    const share = (y - top) / height;
    if (share > 1) continue;
    // Inside a tie there is no place of its own between two papers.
    const { paper: other = "", group } = row.dataset;
    const first = rows[index - 1]?.dataset.group !== group;
    const last = rows[index + 1]?.dataset.group !== group;
    if (share < (ties ? 0.3 : 0.5)) return { kind: first ? "before" : "with", paper: other };
    if (share > (ties ? 0.7 : 0.5)) return { kind: last ? "after" : "with", paper: other };
    return { kind: ties ? "with" : "after", paper: other };
  }
  return { kind: "end" };
}

function zoneAt(x: number, y: number): HTMLElement | undefined {
  const zones = [...document.querySelectorAll<HTMLElement>("[data-zone]")];
  const over = (zone: HTMLElement) => {
    const { left, right, top, bottom } = zone.getBoundingClientRect();
    return x >= left && x <= right && y >= top && y <= bottom;
  };
  return zones.find(over);
}

function targetFor(mark: DropMark, order: Order, paper: string): MoveTarget {
  const rest = without(order, paper);
  switch (mark.kind) {
    case "before":
      return { kind: "own", at: groupOf(rest, mark.paper) };
    case "after":
      return { kind: "own", at: groupOf(rest, mark.paper) + 1 };
    case "with":
      return { kind: "with", at: groupOf(rest, mark.paper) };
    case "end":
      return { kind: "own", at: rest.groups.length };
    default:
      return { kind: mark.kind };
  }
}
