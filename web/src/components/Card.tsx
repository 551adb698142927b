// Framed parts of a page under a heading: always open, or folded.
import {
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
} from "react";

import { usePrinting } from "./browser";

export function Card({
  title,
  beside,
  look = "",
  busy,
  children,
}: {
  title: ReactNode;
  beside?: ReactNode; // in the line of the heading, on the right
  look?: string; // further classes; "tight" for small gaps
  busy?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section className={`card stack ${look}`} aria-labelledby={id} aria-busy={busy}>
      {beside === undefined ? (
        heading
      ) : (
        <div className="row spread">
          {heading}
          {beside}
        </div>
      )}
      {children}
    </section>
  );
}

/** A folded part that opens by itself when it is wanted; the reader opens and closes it at any time. */
export function Details({ wanted, ...rest }: { wanted: boolean } & ComponentProps<"details">) {
  const frame = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (wanted && frame.current) frame.current.open = true;
  }, [wanted]);
  return <details ref={frame} {...rest} />;
}

/** A part of a page that is folded on the screen and open on paper. */
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
