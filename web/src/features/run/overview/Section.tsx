// Sections of the overview, open or folded.
import { useId, useState, type ReactNode } from "react";

import { usePrinting } from "../../../components/browser";

export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="card stack tight" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** A part of the overview that is folded on the screen and open on paper. */
export function Fold({
  title,
  hint,
  children,
}: {
  title: string;
  hint: string;
  children: ReactNode;
}) {
  const printing = usePrinting();
  const [open, setOpen] = useState(false);
  return (
    <details
      className="record"
      open={open || printing}
      onToggle={({ currentTarget }) => !printing && setOpen(currentTarget.open)}
    >
      <summary>
        <h2>{title}</h2>
        <span className="hint">{hint}</span>
      </summary>
      <div className="stack">{children}</div>
    </details>
  );
}
