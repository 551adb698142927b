// Why files could not be read. The command line shares these sentences: its options become fields here.
import { FORMATS, INPUT_COLUMNS } from "../../domain/importForm";

const columnNamed = (ours: string): string =>
  INPUT_COLUMNS.find(([name]) => name === ours)?.[1] ?? ours;

export interface Reason {
  text: string;
  formats: string | null; // the long list of formats that would be understood
}

export function reasonInPage(reason: string): Reason {
  const [first = "", rest] = reason.split(/\s*Understood are: /, 2);
  if (rest === undefined) return { text: inPageWords(first), formats: null };
  const list = rest.replace(/\.?\s*For a table of your own.*$/s, ".");
  return {
    text: `${inPageWords(first)} If it is a table of your own, say which column is which under “How to read the files”.`,
    formats: `Understood are: ${list}`,
  };
}

export function inPageWords(text: string): string {
  return text
    .replace(/--column (\w+)=(\.\.|TAG\b|NAME\b)/g, (_, ours: string) => field(columnNamed(ours)))
    .replace(
      /--column (\w+)=(\S+?)(?=[:;,.]?(\s|$))/g,
      (_, ours: string, theirs: string) => `${field(columnNamed(ours))} set to “${theirs}”`,
    )
    .replace(/--field NAME\b/g, field("Score field"))
    .replace(
      /--field (.+?)(?=[;,:]|\.?$|\. )/g,
      (_, name: string) => `${field("Score field")} set to “${name}”`,
    )
    .replace(/--ranker E-MAIL/g, field("Ranker"))
    .replace(/--scale\b/g, field("Scale"))
    .replace(/--format (\w+)/g, (_, format: string) => `${field("Format")} ${formatNamed(format)}`);
}

const field = (name: string): string => `the field “${name}”`;

const formatNamed = (format: string): string =>
  `“${FORMATS.find(([name]) => name === format)?.[1] ?? format}”`;
