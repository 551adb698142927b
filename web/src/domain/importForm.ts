// What a chair chose on the import page. It lives in the address: a reload or a shared link keeps it.
import type { Schemas } from "../api/client";

export type NewCheck = Schemas["NewCheck"];
type Reading = NewCheck["reading"];
type Method = NewCheck["method"];
export type Format = Reading["format"];
export type Conflicts = Method["conflicts"];
export type Unranked = Method["unranked"];

export interface Settings {
  without: string[]; // files that are not to be used
  format: Format;
  columns: Record<string, string>; // ours -> the file's
  scoreFields: string; // several, separated by ";"
  ranker: string;
  conflicts: Conflicts;
  unranked: Unranked;
  epsilon: string;
  scale: string;
  sameWithin: string;
  lam: string; // "auto", "auto+", "inf" or a number
}

export const FORMATS: readonly (readonly [Format, string])[] = [
  ["auto", "Recognise by content"],
  ["csv", "Plain table (CSV, XLSX, JSON)"],
  ["hotcrp", "HotCRP"],
  ["openreview", "OpenReview"],
  ["cmt", "CMT"],
  ["peerread", "PeerRead"],
];
/** Our columns, with the words for them. */
export const COLUMNS: readonly (readonly [string, string])[] = [
  ["reviewer", "Reviewer"],
  ["paper", "Paper"],
  ["score", "Score"],
  ["rank", "Rank (1 = best)"],
  ["better", "Better paper of a pair"],
  ["worse", "Worse paper of a pair"],
  ["title", "Title"],
  ["track", "Track"],
  ["area_chair", "Area chair"],
  ["review", "Review"],
];
export const EPSILON = "0.05";
const COLUMN = "col.";

const oneOf = <T extends string>(value: string | null, known: readonly T[], usual: T): T =>
  known.find((each) => each === value) ?? usual;

export function settingsFrom(query: URLSearchParams): Settings {
  return {
    without: (query.get("without") ?? "").split(",").filter(Boolean),
    format: oneOf(
      query.get("format"),
      FORMATS.map(([format]) => format),
      "auto",
    ),
    columns: Object.fromEntries(
      COLUMNS.flatMap(([ours]) => {
        const theirs = query.get(COLUMN + ours);
        return theirs ? [[ours, theirs]] : [];
      }),
    ),
    scoreFields: query.get("score") ?? "",
    ranker: query.get("ranker") ?? "",
    conflicts: oneOf(query.get("conflicts"), ["refuse", "scores", "rankings"], "refuse"),
    unranked: oneOf(query.get("unranked"), ["apart", "below"], "apart"),
    epsilon: query.get("epsilon") ?? EPSILON,
    scale: query.get("scale") ?? "",
    sameWithin: query.get("same") ?? "",
    lam: query.get("lam") ?? "auto",
  };
}

/** The same in the address; null: as it is by default. */
export function queryFor(settings: Settings): Record<string, string | null> {
  const unless = (value: string, usual: string) => (value === usual ? null : value);
  return {
    without: settings.without.join(",") || null,
    format: unless(settings.format, "auto"),
    ...Object.fromEntries(COLUMNS.map(([ours]) => [COLUMN + ours, settings.columns[ours] || null])),
    score: settings.scoreFields || null,
    ranker: settings.ranker || null,
    conflicts: unless(settings.conflicts, "refuse"),
    unranked: unless(settings.unranked, "apart"),
    epsilon: unless(settings.epsilon, EPSILON),
    scale: settings.scale || null,
    same: settings.sameWithin || null,
    lam: unless(settings.lam, "auto"),
  };
}

/** The import page with the settings of a run that was made before. */
export function addressFor(conference: string, run: Schemas["Run"]): string {
  const { reading, method, lam } = run;
  const settings: Settings = {
    without: [],
    format: reading.format,
    columns: reading.columns ?? {},
    scoreFields: (reading.score_fields ?? []).join("; "),
    ranker: reading.ranker ?? "",
    conflicts: method.conflicts,
    unranked: method.unranked,
    epsilon: String(method.epsilon),
    scale: method.scale ?? "",
    sameWithin: method.same_within === null ? "" : String(method.same_within),
    lam,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(queryFor(settings))) if (value) query.set(name, value);
  return query.size ? `/c/${conference}?${query}` : `/c/${conference}`;
}

/** What is wrong with the numbers that were typed in, by field. */
export function mistakesIn(settings: Settings): Partial<Record<keyof Settings, string>> {
  const found: Partial<Record<keyof Settings, string>> = {};
  if (!(number(settings.epsilon) > 0)) found.epsilon = "The smallest gap is a number above 0.";
  if (settings.sameWithin && !(number(settings.sameWithin) >= 0))
    found.sameWithin = "A number, 0 or more; or leave it empty.";
  if (!["auto", "auto+", "inf"].includes(settings.lam) && !(number(settings.lam) > 0))
    found.lam = "λ is a number above 0.";
  return found;
}

function number(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : Number.NaN;
}

export function checkFor(settings: Settings, files: readonly string[]): NewCheck {
  const fields = settings.scoreFields.split(";").map((field) => field.trim());
  return {
    files: files.filter((file) => !settings.without.includes(file)),
    reading: {
      format: settings.format,
      columns: settings.columns,
      score_fields: fields.filter(Boolean),
      ranker: settings.ranker.trim() || null,
    },
    method: {
      scale: settings.scale.trim() || null,
      epsilon: Number(settings.epsilon),
      conflicts: settings.conflicts,
      unranked: settings.unranked,
      same_within: settings.sameWithin ? Number(settings.sameWithin) : null,
    },
  };
}
