// Every area chair with their papers and links.
import { useId, useState } from "react";

import type { Schemas } from "../../api/client";
import { ScrollBox } from "../../components/ScrollBox";
import { TableHead } from "../../components/TableHead";
import { AreaChairRow } from "./AreaChairRow";

export function AreaChairs({
  people,
  runs,
  busy,
  onMake,
  changed,
}: {
  people: Schemas["AreaChair"][];
  runs: Schemas["RunSummary"][];
  busy: boolean;
  onMake(areaChair: string): void;
  changed(): void;
}) {
  const [text, setText] = useState("");
  const [run, setRun] = useState<string | null>(null);
  const id = useId();
  if (!people.length)
    return <p className="soft">Nobody yet. Say below which papers each area chair handles.</p>;
  const done = runs.filter((each) => each.status === "done");
  const shownIn =
    done.find((each) => each.id === run) ?? done.find((each) => each.shared) ?? done[0];
  const words = text.toLowerCase();
  const found = people.filter(({ name, email }) =>
    `${name}\n${email ?? ""}`.toLowerCase().includes(words),
  );
  return (
    <div className="stack tight">
      <div className="row spread">
        <div className="row">
          <label htmlFor={`${id}-find`}>Find</label>
          <input
            id={`${id}-find`}
            type="search"
            className="input"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        {shownIn && (
          <div className="row">
            <label htmlFor={`${id}-run`}>Preview in</label>
            <select
              id={`${id}-run`}
              className="select"
              value={shownIn.id}
              onChange={(event) => setRun(event.target.value)}
            >
              {done.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name}
                </option>
              ))}
            </select>
          </div>
        )}
      </div>
      <ScrollBox label="Table of area chairs" className="people">
        <table className="plain" aria-label="Area chairs">
          <TableHead
            columns={[
              "Name",
              { text: "E-mail", className: "on-wide" },
              { text: "Papers", className: "number" },
              "Links",
              { text: "Actions", hidden: true },
            ]}
          />
          <tbody>
            {found.map((person) => (
              <AreaChairRow
                key={person.id}
                person={person}
                preview={shownIn ? `/r/${shownIn.id}?as=${person.id}` : null}
                busy={busy}
                onMake={() => onMake(person.id)}
                changed={changed}
              />
            ))}
          </tbody>
        </table>
        {!found.length && <p className="soft waiting">Nobody by that name.</p>}
      </ScrollBox>
    </div>
  );
}
