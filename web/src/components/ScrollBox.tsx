// Boxes that scroll by themselves and that the keyboard can reach.
import { useEffect, useRef, useState, type ReactNode } from "react";

import "./components.css";

export function ScrollBox({
  label,
  className = "",
  children,
}: {
  label: string; // announced when the box takes the focus
  className?: string;
  children: ReactNode;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const box = frame.current;
    if (!box || !("ResizeObserver" in window)) return;
    const measure = () =>
      setScrolls(box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight);
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    for (const child of box.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  const reachable = scrolls ? { role: "region", "aria-label": label, tabIndex: 0 } : {};
  return (
    <div ref={frame} className={`scroll-box ${className}`} {...reachable}>
      {children}
    </div>
  );
}
