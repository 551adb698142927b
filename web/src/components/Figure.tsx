// A plot by Observable Plot, redrawn when its data or its width change.
import * as Plot from "@observablehq/plot";
import { useEffect, useRef, useState } from "react";

export function Figure({
  label,
  caption,
  options,
}: {
  label: string; // for screen readers
  caption?: string;
  options(width: number): Plot.PlotOptions; // keep it stable with useCallback
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = frame.current;
    if (!element || !width) return;
    const drawn = Plot.plot({ ...options(width), width });
    // The Content-Security-Policy allows no style elements: styles/base.css has these rules.
    for (const style of drawn.querySelectorAll("style")) style.remove();
    // Screen readers get the label of the whole figure instead of those of its parts.
    for (const part of drawn.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", label);
    element.replaceChildren(drawn);
    return () => drawn.remove();
  }, [label, options, width]);
  return (
    <figure className="figure">
      <div ref={frame} />
      {caption && <figcaption>{caption}</figcaption>}
    </figure>
  );
}
