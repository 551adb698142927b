// A word for changes that take effect at once, while the pages of many area chairs are made anew.
import { useEffect, useState } from "react";

const PATIENCE = 700; // milliseconds: quicker changes need no word

export function Preparing({ pending }: { pending: boolean }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!pending) return;
    const timer = window.setTimeout(() => setLate(true), PATIENCE);
    return () => {
      window.clearTimeout(timer);
      setLate(false);
    };
  }, [pending]);
  return (
    <span role="status" className="hint">
      {late && "In force. Making the area chairs’ pages ready…"}
    </span>
  );
}
