// A part of the overview that is folded on the screen and open on paper.
import { useState, type ReactNode } from "react";

import { usePrinting } from "../../../components/usePrinting";

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
