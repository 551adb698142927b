// Where the result comes from: the files, what was read from them, and the versions used.
import { Card } from "../../../components/Card";
import { DefinitionList } from "../../../components/DefinitionList";
import { ScrollTable } from "../../../components/PlainTable";
import { useRun } from "../context";
import type { View } from "../../../api/types";
import { lambdaText, scoreText } from "../../../domain/format";
import { POLICIES, TERMS, UNRANKED, type Entry } from "../../../domain/glossary";

export function Provenance({ chair }: { chair: boolean }) {
  const { view } = useRun().run;
  const { inputs = [], versions = {} } = view.run;
  return (
    <Card look="tight" title="Provenance">
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
        <ScrollTable label="Input files" columns={["File", "SHA-256"]}>
          {inputs.map(({ file, sha256 }) => (
            <tr key={file}>
              <th scope="row">{file}</th>
              <td className="mono hash">{sha256}</td>
            </tr>
          ))}
        </ScrollTable>
      )}
    </Card>
  );
}

const utc = (at: string) => <time dateTime={at}>{at.slice(0, 16).replace("T", " ")} UTC</time>;

/** What was recognised in the files, and what was assumed or left out. */
export function Reading() {
  const { read = [] } = useRun().run.view.run;
  if (!read.length) return null;
  return (
    <Card look="tight" title="What was read from the files">
      <ul className="read">
        {read.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Card>
  );
}

/** The settings that the chair chose. */
export function SettingsList() {
  const { view } = useRun().run;
  const { settings, lam } = view.run;
  return (
    <Card look="tight" title="Settings">
      <DefinitionList
        className="pairs"
        items={[
          [TERMS.lambda.title, lambdaText(lam)],
          ["λ asked for", lambdaText(settings.lam)],
          [TERMS.epsilon.title, String(settings.epsilon)],
          ["Scale", scaleText(view)],
          ["Contradictions", explained(POLICIES, settings.conflicts)],
          ["Unranked papers", explained(UNRANKED, settings.unranked)],
          [
            "Papers said to be about the same",
            settings.same_within === null ? "no bound" : `within ${settings.same_within}`,
          ],
        ]}
      />
    </Card>
  );
}

/** Every level, and for chairs where the scale came from. */
const scaleText = (view: View): string => {
  const { scale_origin } = view.run.settings;
  const levels = view.scale.levels.map((level) => scoreText(view, level)).join(", ");
  return scale_origin ? `${levels} (${scale_origin})` : levels;
};

/** "Refuse: stop and list …"; a value without an entry stays as it is. */
function explained(group: Partial<Record<string, Entry>>, name: string): string {
  const entry = group[name];
  return entry ? `${entry.title}: ${entry.text}` : name;
}
