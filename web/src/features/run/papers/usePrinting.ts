// True while the page is being printed: a printer has no scroll bar.
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    // The browser takes the page as it stands when the event has been handled.
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
