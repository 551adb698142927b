// The issues of the input and what was done about them, by kind.
import { useState } from "react";

import { Button } from "../../../components/buttons";
import { ScrollTable } from "../../../components/tables";
import { count, counted } from "../../../domain/format";
import { issueTitle } from "../../../domain/glossary";
import type { View } from "../../../domain/run";
import { useRun } from "../context";

type Issue = View["run"]["issues"][number];
const AT_FIRST = 50;
const OPEN_AT_MOST = 12; // longer lists are folded

/** One issue may count many cases, where a long list was cut. */
const cases = (issues: Issue[]): number => issues.reduce((sum, issue) => sum + issue.count, 0);

/** How many cases the issues of a run count. */
export const issueCount = ({ run }: View): number => cases(run.issues);

export function Issues() {
  const { viewer, run } = useRun().run.view;
  const { issues } = run;
  const chair = viewer.role === "chair";
  const kinds = [...new Set(issues.map(({ kind }) => kind))];
  return (
    <>
      <p>
        {issues.length ? counted(cases(issues), "issue") : "No issues"}{" "}
        {chair ? "found in the input." : "concerning your papers."}
      </p>
      {kinds.map((kind) => (
        <Kind
          key={kind}
          title={issueTitle(kind)}
          issues={issues.filter((issue) => issue.kind === kind)}
        />
      ))}
    </>
  );
}

function Kind({ title, issues }: { title: string; issues: Issue[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? issues : issues.slice(0, AT_FIRST);
  const places = issues.some(({ where }) => where.length);
  return (
    <details className="issue-kind" open={issues.length <= OPEN_AT_MOST}>
      <summary>
        <strong>{title}</strong> <span className="badge">{count(cases(issues))}</span>
      </summary>
      <ScrollTable
        label={`Issues: ${title}`}
        columns={["Issue", "What was done", places && "Where"]}
      >
        {shown.map(({ message, action, advice, where }, place) => (
          <tr key={place}>
            <td>{message}</td>
            <td>{action || advice}</td>
            {places && <td className="mono">{where.join(", ")}</td>}
          </tr>
        ))}
      </ScrollTable>
      {shown.length < issues.length && (
        <Button onClick={() => setAll(true)}>Show all {count(issues.length)}</Button>
      )}
    </details>
  );
}
