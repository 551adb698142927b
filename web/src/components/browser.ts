// What pages need of the browser: media queries, widths, printing, leaving the page, downloads.
import {
  useCallback,
  useLayoutEffect,
  useRef,
  useEffect,
  useSyncExternalStore,
  useState,
  type RefObject,
} from "react";
import { flushSync } from "react-dom";

/** A stable function that calls the latest version of another, for memoised rows. */
export function useLatestCallback<A extends unknown[]>(
  act: (...given: A) => void,
): (...given: A) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: A) => latest.current(...given), []);
}

/** Call a function when the component unmounts, and when the page is hidden, left or closed. `act`
 * must be stable. The page may be gone a moment later: requests need `keepalive`. */
export function usePageLeave(act: () => void): void {
  useEffect(() => {
    const hidden = () => document.visibilityState === "hidden" && act();
    window.addEventListener("pagehide", act);
    document.addEventListener("visibilitychange", hidden);
    return () => {
      window.removeEventListener("pagehide", act);
      document.removeEventListener("visibilitychange", hidden);
      act();
    };
  }, [act]);
}

/** Whether a media query holds, now and when the window changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (notify) => {
      const media = window.matchMedia?.(query);
      media?.addEventListener("change", notify);
      return () => media?.removeEventListener("change", notify);
    },
    () => window.matchMedia?.(query).matches ?? false,
  );
}

/** True while the page is being printed, when every line must be drawn. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    // The browser prints the page as it is right after this event.
    const begin = () => flushSync(() => setPrinting(true));
    const finish = () => setPrinting(false);
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", finish);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", finish);
    };
  }, []);
  return printing;
}

/** The current width of an element. */
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

/** Offer a table to the reader as a download, in a form in which Excel reads UTF-8. */
export const saveCsv = (text: string, name: string): void =>
  saveFile({ blob: new Blob(["\ufeff", text], { type: "text/csv" }), name });

/** Offer a file to the reader as a download. */
export function saveFile({ blob, name }: { blob: Blob; name: string }): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Browsers read the file some time after the click.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
