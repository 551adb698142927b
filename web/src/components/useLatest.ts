// A function that stays the same while what it does may change: for rows that are drawn once.
import { useCallback, useLayoutEffect, useRef } from "react";

export function useLatest<A extends unknown[]>(act: (...given: A) => void): (...given: A) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: A) => latest.current(...given), []);
}
