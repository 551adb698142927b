// What was wrong with the input, and what was done about it: counts by kind, then each.
import { useState } from "react";

import { count, counted } from "../../../domain/format";
import type { View } from "../../../domain/run";
import { ScrollRegion } from "../../../components/ScrollRegion";
import { TableHead } from "../../../components/TableHead";
import { useRun } from "../context";
import { Section } from "./Section";

type Issue = View["run"]["issues"][number];
const AT_FIRST = 50;
const AT_ONCE = 12; // few enough to need no click

export function Issues() {
  const { issues } = useRun().run.view.run;
  if (!issues.length)
    return (
      <Section title="Problems">
        <p>No problems were found in the input.</p>
      </Section>
    );
  const kinds = [...new Set(issues.map(({ kind }) => kind))];
  return (
    <Section title="Problems">
      <p>{counted(issues.length, "problem")} found in the input.</p>
      {kinds.map((kind) => (
        <Kind key={kind} kind={kind} issues={issues.filter((issue) => issue.kind === kind)} />
      ))}
    </Section>
  );
}

function Kind({ kind, issues }: { kind: string; issues: Issue[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? issues : issues.slice(0, AT_FIRST);
  const places = issues.some(({ where }) => where.length);
  return (
    <details className="problem-kind" open={issues.length <= AT_ONCE}>
      <summary>
        <strong>{kind.replaceAll("-", " ")}</strong>{" "}
        <span className="badge">{count(issues.length)}</span>
      </summary>
      <ScrollRegion label={`Problems: ${kind}`}>
        <table className="plain">
          <TableHead columns={["Problem", "What was done", places && "Where"]} />
          <tbody>
            {shown.map(({ message, action, advice, where }, place) => (
              <tr key={place}>
                <td>{message}</td>
                <td>{action || advice}</td>
                {places && <td className="mono">{where.join(", ")}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {shown.length < issues.length && (
        <button type="button" className="button" onClick={() => setAll(true)}>
          Show all {count(issues.length)}
        </button>
      )}
    </details>
  );
}
