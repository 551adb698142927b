// A stable function that calls the latest version of another, for memoised rows.
import { useCallback, useLayoutEffect, useRef } from "react";

export function useLatest<A extends unknown[]>(act: (...given: A) => void): (...given: A) => void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: A) => latest.current(...given), []);
}
