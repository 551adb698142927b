// The form of the import page. It is stored in the address: a reload or a shared link restores it.
import type { FileInfo, NewCheck, RunDetail } from "../api/schema";
import {
  DUPLICATES,
  INPUT_COLUMNS,
  lambdaChoice,
  MATCH_IDS,
  namesIn,
  optionsIn,
  POLICIES,
  SYSTEMS,
  UNRANKED,
  type Duplicates,
  type Format,
  type MatchIds,
  type Policy,
  type Unranked,
} from "./glossary";

/** The settings of a run under their names in the API, and what each is unless somebody chooses. */
const USUAL = {
  format: "auto" as Format,
  missing: "", // values that mean "none", such as "score=0; rank=99"
  score_fields: "", // several, separated by ";"
  ranker: "",
  encoding: "", // of text files that are not UTF-8
  duplicates: "refuse" as Duplicates,
  match_ids: "certain" as MatchIds,
  keep_withdrawn: false, // count papers that were withdrawn or desk-rejected
  count_drafts: false, // HotCRP: count forms without a letter, which are not submitted
  conflicts: "refuse" as Policy,
  unranked: "apart" as Unranked,
  epsilon: "0.05",
  scale: "",
  ignore_rankings: false,
  lam: "auto+", // or "auto", "inf", a number
  uncertainty: true, // estimate plausible places and P(accept)
  calibrate: false, // estimate the strictness of reviewers
};
export type Settings = typeof USUAL;

export interface ImportForm extends Settings {
  without: string[]; // files whose tick was changed: those for ballots start without one
  columns: Record<string, string>; // ours -> the file's
}

export const FORMATS: readonly (readonly [Format, string])[] = [
  ["auto", "Recognise by content"],
  ...optionsIn(SYSTEMS),
];
const CHOICES: Partial<Record<keyof Settings, readonly string[]>> = {
  format: FORMATS.map(([name]) => name),
  duplicates: namesIn(DUPLICATES),
  match_ids: namesIn(MATCH_IDS),
  conflicts: namesIn(POLICIES),
  unranked: namesIn(UNRANKED),
};
const NAMES = Object.keys(USUAL) as (keyof Settings)[];
const COLUMN = "col.";

export function formFrom(query: URLSearchParams): ImportForm {
  const read = (name: keyof Settings) => {
    const text = query.get(name);
    if (text === null || !(CHOICES[name]?.includes(text) ?? true)) return USUAL[name];
    return typeof USUAL[name] === "boolean" ? text === "yes" : text;
  };
  return {
    ...(Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Settings),
    without: (query.get("without") ?? "").split(",").filter(Boolean),
    columns: Object.fromEntries(
      namesIn(INPUT_COLUMNS).flatMap((ours) => {
        const theirs = query.get(COLUMN + ours);
        return theirs ? [[ours, theirs]] : [];
      }),
    ),
  };
}

/** The parameters of the address; null removes one that has its default. */
export function queryFor(form: ImportForm): Record<string, string | null> {
  const written = (name: keyof Settings) => {
    const value = form[name];
    if (value === USUAL[name]) return null;
    return typeof value === "boolean" ? (value ? "yes" : "no") : value;
  };
  return {
    without: form.without.join(",") || null,
    ...Object.fromEntries(NAMES.map((name) => [name, written(name)])),
    ...Object.fromEntries(
      namesIn(INPUT_COLUMNS).map((ours) => [COLUMN + ours, form.columns[ours] || null]),
    ),
  };
}

/** The form that starts a run with the settings of an earlier one. */
export function formOf({ reading, method, lam, uncertainty, calibrate }: RunDetail): ImportForm {
  return {
    ...{ ...reading, ...method, lam, uncertainty, calibrate, without: [] },
    columns: reading.columns ?? {},
    missing: Object.entries(reading.missing ?? {})
      .map((pair) => pair.join("="))
      .join("; "),
    score_fields: (reading.score_fields ?? []).join("; "),
    ranker: reading.ranker ?? "",
    epsilon: String(method.epsilon),
    scale: method.scale ?? "",
    ignore_rankings: method.ignore_rankings ?? false,
  };
}

/** The address of the import page with the settings of an earlier run. */
export function importAddress(conference: string, run: RunDetail): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(queryFor(formOf(run))))
    if (value) query.set(name, value);
  return query.size ? `/c/${conference}?${query}` : `/c/${conference}`;
}

/** The names of settings on the page. */
export const SETTING_NAMES: Record<keyof Settings, string> = {
  format: "Format",
  missing: "Missing values",
  score_fields: "Score field",
  ranker: "Ranker",
  encoding: "Encoding",
  duplicates: "Duplicates",
  match_ids: "Match ids",
  keep_withdrawn: "Count withdrawn papers",
  count_drafts: "Count drafts (HotCRP’s review forms without a letter)",
  conflicts: "Contradictions",
  unranked: "Unranked papers",
  epsilon: "Smallest gap ε",
  scale: "Scale",
  ignore_rankings: "Leave rankings out",
  lam: "Weight λ of the given scores",
  uncertainty: "Chance of each paper to be in",
  calibrate: "Strict and lenient reviewers",
};

const missingIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(";").flatMap((entry) => {
      const [ours = "", value] = entry.split("=", 2).map((part) => part.trim());
      return value === undefined ? [] : [[ours, value]];
    }),
  );

/** What is wrong with the numbers, by field. */
export function mistakesIn(form: ImportForm): Partial<Record<keyof ImportForm, string>> {
  const mistakes: Partial<Record<keyof ImportForm, string>> = {};
  if (!(number(form.epsilon) > 0)) mistakes.epsilon = "The smallest gap is a number above 0.";
  if (lambdaChoice(form.lam) === "given" && !(number(form.lam) > 0))
    mistakes.lam = "λ is a number above 0.";
  return mistakes;
}

function number(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : Number.NaN;
}

/** The ids of the files that are ticked. */
export const usedFiles = (
  { without }: ImportForm,
  files: readonly Pick<FileInfo, "id" | "for_ballots">[],
): string[] =>
  files.filter((file) => without.includes(file.id) === file.for_ballots).map((file) => file.id);

export function checkFor(form: ImportForm, files: string[]): NewCheck {
  const { format, columns, duplicates, match_ids, keep_withdrawn, count_drafts } = form;
  const { conflicts, unranked, ignore_rankings } = form;
  const fields = form.score_fields.split(";").map((field) => field.trim());
  return {
    files,
    reading: {
      ...{ format, columns, duplicates, match_ids, keep_withdrawn, count_drafts },
      missing: missingIn(form.missing),
      score_fields: fields.filter(Boolean),
      ranker: form.ranker.trim() || null,
      encoding: form.encoding.trim(),
    },
    method: {
      ...{ conflicts, unranked, ignore_rankings },
      scale: form.scale.trim() || null,
      epsilon: Number(form.epsilon),
    },
  };
}
