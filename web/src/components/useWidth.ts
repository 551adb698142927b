// The current width of an element.
import { useLayoutEffect, useState, type RefObject } from "react";

export function useWidth(element: RefObject<Element | null>, atFirst: number): number {
  const [width, setWidth] = useState(atFirst);
  useLayoutEffect(() => {
    const watched = element.current;
    if (!watched || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(() => setWidth(watched.clientWidth || atFirst));
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element, atFirst]);
  return width;
}
