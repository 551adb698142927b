// The table of area chairs with their papers and links.
import { useState } from "react";

import { SelectField } from "../../components/choices";
import { Button } from "../../components/buttons";
import { TextField } from "../../components/fields";
import type { AreaChair, RunSummary } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { Link } from "../../app/route";
import { LinkList } from "./LinkList";

export function AreaChairs({
  people,
  runs,
  busy,
  onMake,
}: {
  people: AreaChair[];
  runs: RunSummary[];
  busy: boolean;
  onMake(person: AreaChair): void;
}) {
  const [text, setText] = useState("");
  const [run, setRun] = useState<string | null>(null);
  if (!people.length)
    return <p className="soft">No area chairs yet. Assign papers to them below.</p>;
  const finished = runs.filter((each) => each.status === "done");
  const previewed =
    finished.find((each) => each.id === run) ?? finished.find((each) => each.shared) ?? finished[0];
  const words = text.toLowerCase();
  const shown = people
    .filter(({ name, email }) => `${name}\n${email ?? ""}`.toLowerCase().includes(words))
    .toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  return (
    <div className="stack tight">
      <div className="row spread">
        <TextField beside label="Find" type="search" value={text} onChange={setText} />
        {previewed && (
          <SelectField
            layout="row"
            label="Preview in"
            options={finished.map((each) => [each.id, each.name] as const)}
            value={previewed.id}
            onChange={setRun}
          />
        )}
      </div>
      <DataTable
        label="Area chairs"
        box="Table of area chairs"
        look="people row-blocks"
        rows={shown}
        keyOf={(person) => person.id}
        columns={[
          { head: "Name", cell: ({ name }) => name, names: true, look: "person" },
          { head: "E-mail", cell: ({ email }) => email ?? "–", onWide: true, look: "soft" },
          { head: "Papers", cell: ({ papers }) => papers, number: true },
          { head: "Links", cell: ({ links, name }) => <LinkList links={links} whose={name} /> },
        ]}
        actions={(person) => (
          <>
            <Button
              disabled={busy}
              onClick={() => onMake(person)}
              aria-label={`Make link for ${person.name}`}
            >
              Make link
            </Button>{" "}
            {previewed && (
              <Link
                to={`/r/${previewed.id}?as=${person.id}`}
                className="button quiet"
                aria-label={`Preview as ${person.name}`}
              >
                Preview
              </Link>
            )}
          </>
        )}
      />
      {!shown.length && <p className="soft waiting">No area chair has that name.</p>}
    </div>
  );
}
