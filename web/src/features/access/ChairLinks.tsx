// Links for the other chairs, who see and may do everything.
import { useState } from "react";

import { TextField } from "../../components/TextField";
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
        <TextField label="For whom" maxLength={200} value={label} onChange={setLabel} />
        <button type="submit" className="button" disabled={busy}>
          Make chair link
        </button>
      </form>
    </section>
  );
}
