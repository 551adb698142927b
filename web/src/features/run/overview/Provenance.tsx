// Where the result comes from: the files and the versions used.
import { DefinitionList } from "../../../components/DefinitionList";
import { ScrollRegion } from "../../../components/ScrollRegion";
import { TableHead } from "../../../components/TableHead";
import { useRun } from "../context";
import { Section } from "./Section";

export function Provenance({ chair }: { chair: boolean }) {
  const { view } = useRun().run;
  const { inputs = [], versions = {} } = view.run;
  return (
    <Section title="Provenance">
      <DefinitionList
        className="pairs"
        items={[
          ["Run", view.name],
          ...(view.finished ? [["Finished", utc(view.finished)] as const] : []),
          [
            "Versions",
            Object.entries(versions)
              .map((pair) => pair.join(" "))
              .join(", "),
          ],
        ]}
      />
      {chair && inputs.length > 0 && (
        <ScrollRegion label="Input files">
          <table className="plain">
            <TableHead columns={["File", "SHA-256"]} />
            <tbody>
              {inputs.map(({ file, sha256 }) => (
                <tr key={file}>
                  <th scope="row">{file}</th>
                  <td className="mono hash">{sha256}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Section>
  );
}

const utc = (at: string) => <time dateTime={at}>{at.slice(0, 16).replace("T", " ")} UTC</time>;
