// With what a run was made: enough to make it again elsewhere.
import type { Schemas } from "../../api/client";
import { ScrollBox } from "../../components/ScrollBox";
import { TableHead } from "../../components/TableHead";
import { sizeInWords } from "../../domain/size";
import { lambdaInWords, policyInWords } from "../../domain/words";

export function RunSettings({ run }: { run: Schemas["Run"] }) {
  return (
    <details>
      <summary>Settings and input hashes</summary>
      <div className="stack tight">
        <dl className="run-facts">
          {factsOf(run).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <ScrollBox label="Inputs">
          <table className="plain" aria-label="Inputs">
            <TableHead columns={["File", { text: "Size", className: "number" }, "SHA-256"]} />
            <tbody>
              {run.inputs.map((file) => (
                <tr key={file.id}>
                  <td>{file.name}</td>
                  <td className="number nowrap">{sizeInWords(file.size)}</td>
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

function factsOf({ reading, method, lam }: Schemas["Run"]): [string, string][] {
  const facts: [string, string][] = [
    ["λ asked for", lambdaInWords(lam)],
    ["Contradictions", policyInWords(method.conflicts)],
    ["Smallest gap ε", String(method.epsilon)],
    ["Scale", method.scale ?? "as the files say"],
    ["Unranked papers", method.unranked === "below" ? "stand below" : "stand apart"],
    ["Format", reading.format === "auto" ? "recognised" : reading.format],
  ];
  if (method.same_within !== null)
    facts.push(["About the same within", String(method.same_within)]);
  if (reading.score_fields?.length) facts.push(["Score field", reading.score_fields.join("; ")]);
  if (reading.ranker) facts.push(["Ranker", reading.ranker]);
  for (const [ours, theirs] of Object.entries(reading.columns ?? {}))
    facts.push([`Column ${ours}`, theirs]);
  return facts;
}
