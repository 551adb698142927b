// What was recognised in the files, and what was assumed or left out.
import { useRun } from "../context";
import { Section } from "./Section";

export function Reading() {
  const { read = [] } = useRun().run.view.run;
  if (!read.length) return null;
  return (
    <Section title="What was read from the files">
      <ul className="read">
        {read.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Section>
  );
}
