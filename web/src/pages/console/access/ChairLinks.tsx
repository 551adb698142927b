// Links for the other chairs, who see and may do everything.
import { useId, useState } from "react";

import { LinkList } from "./LinkList";
import type { Link } from "./links";

export function ChairLinks({
  links,
  busy,
  onMake,
  changed,
}: {
  links: Link[];
  busy: boolean;
  onMake(label: string): void;
  changed(): void;
}) {
  const [label, setLabel] = useState("");
  const id = useId();
  return (
    <section className="card stack" aria-labelledby="chair-links">
      <h2 id="chair-links">Links for chairs</h2>
      <p className="hint">Whoever opens one sees everything and may change everything.</p>
      <LinkList links={links} whose="chairs" changed={changed} />
      <form
        className="row end"
        onSubmit={(event) => {
          event.preventDefault();
          onMake(label.trim());
          setLabel("");
        }}
      >
        <div className="field">
          <label htmlFor={id}>For whom</label>
          <input
            id={id}
            className="input"
            maxLength={200}
            value={label}
            onChange={(event) => setLabel(event.target.value)}
          />
        </div>
        <button type="submit" className="button" disabled={busy}>
          Make chair link
        </button>
      </form>
    </section>
  );
}
