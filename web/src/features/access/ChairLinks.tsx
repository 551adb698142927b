// Links for the other chairs, who see and may do everything.
import { useState } from "react";

import type { AccessLink } from "../../api/types";
import { TextField } from "../../components/TextField";
import { LinkList } from "./LinkList";

export function ChairLinks({
  links,
  busy,
  onMake,
}: {
  links: AccessLink[];
  busy: boolean;
  onMake(label: string): void;
}) {
  const [label, setLabel] = useState("");
  return (
    <section className="card stack" aria-labelledby="chair-links">
      <h2 id="chair-links">Links for chairs</h2>
      <p className="hint">Anybody with such a link sees everything and may change everything.</p>
      <LinkList links={links} whose="chairs" />
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
