// Links under people's names: for chairs of a conference, or for owners of the server.
import { useState } from "react";

import { Card } from "../../components/Card";
import { Button } from "../../components/buttons";
import type { AccessLink } from "../../api/types";
import { TextField } from "../../components/fields";
import { LinkList } from "./LinkList";

export function ChairLinks({
  title,
  hint,
  whose,
  links,
  busy,
  onMake,
}: {
  title: string;
  hint: string;
  whose: string;
  links: AccessLink[];
  busy: boolean;
  onMake(label: string): void;
}) {
  const [label, setLabel] = useState("");
  return (
    <Card title={title}>
      <p className="hint">{hint}</p>
      <LinkList links={links} whose={whose} />
      <form
        className="row end"
        onSubmit={(event) => {
          event.preventDefault();
          onMake(label.trim());
          setLabel("");
        }}
      >
        <TextField label="For whom" required maxLength={200} value={label} onChange={setLabel} />
        <Button type="submit" disabled={busy || !label.trim()}>
          Make link
        </Button>
      </form>
    </Card>
  );
}
