// The settings and inputs of a run: enough to repeat it elsewhere.
import type { RunInfo } from "../../api/types";
import { DefinitionList } from "../../components/DefinitionList";
import { ScrollBox } from "../../components/ScrollBox";
import { TableHead } from "../../components/TableHead";
import { lambdaText, sizeText } from "../../domain/format";
import { POLICIES, UNRANKED } from "../../domain/glossary";
import { DUPLICATES, MATCH_IDS } from "../../domain/importForm";

export function RunSettings({ run }: { run: RunInfo }) {
  return (
    <details>
      <summary>Settings and input hashes</summary>
      <div className="stack tight">
        <DefinitionList className="run-facts" items={factsOf(run)} />
        <ScrollBox label="Inputs">
          <table className="plain" aria-label="Inputs">
            <TableHead columns={["File", { text: "Size", className: "number" }, "SHA-256"]} />
            <tbody>
              {run.inputs.map((file) => (
                <tr key={file.id}>
                  <td>{file.name}</td>
                  <td className="number nowrap">{sizeText(file.size)}</td>
                  <td className="mono whole-hash">{file.sha256}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      </div>
    </details>
  );
}

function factsOf({ reading, method, lam, uncertainty, calibrate }: RunInfo): [string, string][] {
  const facts: [string, string][] = [
    ["λ asked for", lambdaText(lam)],
    ["Contradictions", POLICIES[method.conflicts].title],
    ["Smallest gap ε", String(method.epsilon)],
    ["Scale", method.scale ?? "as in the files"],
    ["Unranked papers", UNRANKED[method.unranked].title],
    ["Format", reading.format === "auto" ? "recognised" : reading.format],
  ];
  if (uncertainty) facts.push(["How sure", "plausible places and P(accept)"]);
  if (calibrate) facts.push(["Reviewers", "strictness estimated"]);
  if (method.same_within != null) facts.push(["About the same within", String(method.same_within)]);
  if (reading.score_fields?.length) facts.push(["Score field", reading.score_fields.join("; ")]);
  if (reading.ranker) facts.push(["Ranker", reading.ranker]);
  if (reading.encoding) facts.push(["Encoding", reading.encoding]);
  if (reading.duplicates !== "refuse")
    facts.push(["Duplicates", titleOf(DUPLICATES, reading.duplicates)]);
  if (reading.match_ids !== "certain")
    facts.push(["Match ids", titleOf(MATCH_IDS, reading.match_ids)]);
  for (const [ours, theirs] of Object.entries(reading.columns ?? {}))
    facts.push([`Column ${ours}`, theirs]);
  return facts;
}

function titleOf(choices: readonly (readonly [string, string])[], value: string): string {
  return choices.find(([name]) => name === value)?.[1] ?? value;
}
