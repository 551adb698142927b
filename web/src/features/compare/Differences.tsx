// The settings in which the runs differ, to explain why scores do.
import type { Run } from "../../domain/run";
import { ScrollBox } from "../../components/ScrollBox";
import { TableHead } from "../../components/TableHead";
import { differingSettings } from "./comparison";

export function Differences({ names, runs }: { names: string[]; runs: Run[] }) {
  const lines = differingSettings(runs);
  if (!lines.length) return <p className="soft">The runs have the same files and settings.</p>;
  return (
    <ScrollBox label="Settings that differ" className="card flush">
      <table className="plain" aria-label="Settings that differ">
        <TableHead columns={["Differs", ...names]} />
        <tbody>
          {lines.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                <td key={index}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
