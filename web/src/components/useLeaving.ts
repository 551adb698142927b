// Calls a function when its part of the page goes, and when the page is hidden, left or closed.
import { useEffect } from "react";

/** `act` must be stable. It runs while the page may go at any moment: requests need `keepalive`. */
export function useLeaving(act: () => void): void {
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
