// The form of the import page. It is stored in the address: a reload or a shared link restores it.
import type { CheckRequest, FileInfo, RunInfo } from "../api/types";
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

export interface ImportForm {
  changed: string[]; // files whose tick was changed: those for ballots start without one
  format: Format;
  columns: Record<string, string>; // ours -> the file's
  missing: string; // values that mean "none", such as "score=0; rank=99"
  scoreFields: string; // several, separated by ";"
  ranker: string;
  encoding: string; // of text files that are not UTF-8
  duplicates: Duplicates;
  matchIds: MatchIds;
  keepWithdrawn: boolean; // count papers that were withdrawn or desk-rejected
  countDrafts: boolean; // HotCRP: count forms without a letter, which are not submitted
  conflicts: Policy;
  unranked: Unranked;
  epsilon: string;
  scale: string;
  sameWithin: string;
  ignoreRankings: boolean;
  lam: string; // "auto", "auto+", "inf" or a number
  uncertainty: boolean; // estimate plausible places and P(accept)
  calibrate: boolean; // estimate the strictness of reviewers
}

export const FORMATS: readonly (readonly [Format, string])[] = [
  ["auto", "Recognise by content"],
  ...optionsIn(SYSTEMS),
];
const EPSILON = "0.05";
const COLUMN = "col.";

const oneOf = <T extends string>(value: string | null, values: readonly T[], usual: T): T =>
  values.find((each) => each === value) ?? usual;

export function formFrom(query: URLSearchParams): ImportForm {
  return {
    changed: (query.get("without") ?? "").split(",").filter(Boolean),
    format: oneOf(query.get("format"), ["auto", ...namesIn(SYSTEMS)], "auto"),
    columns: Object.fromEntries(
      namesIn(INPUT_COLUMNS).flatMap((ours) => {
        const theirs = query.get(COLUMN + ours);
        return theirs ? [[ours, theirs]] : [];
      }),
    ),
    missing: query.get("missing") ?? "",
    scoreFields: query.get("score") ?? "",
    ranker: query.get("ranker") ?? "",
    encoding: query.get("encoding") ?? "",
    duplicates: oneOf(query.get("duplicates"), namesIn(DUPLICATES), "refuse"),
    matchIds: oneOf(query.get("ids"), namesIn(MATCH_IDS), "certain"),
    keepWithdrawn: query.get("withdrawn") === "yes",
    countDrafts: query.get("drafts") === "yes",
    conflicts: oneOf(query.get("conflicts"), namesIn(POLICIES), "refuse"),
    unranked: oneOf(query.get("unranked"), namesIn(UNRANKED), "apart"),
    epsilon: query.get("epsilon") ?? EPSILON,
    scale: query.get("scale") ?? "",
    sameWithin: query.get("same") ?? "",
    ignoreRankings: query.get("rankings") === "no",
    lam: query.get("lam") ?? "auto+",
    uncertainty: query.get("sure") !== "no",
    calibrate: query.get("strictness") === "yes",
  };
}

/** The parameters of the address; null removes one that has its default. */
export function queryFor(form: ImportForm): Record<string, string | null> {
  const unless = (value: string, usual: string) => (value === usual ? null : value);
  return {
    without: form.changed.join(",") || null,
    format: unless(form.format, "auto"),
    ...Object.fromEntries(
      namesIn(INPUT_COLUMNS).map((ours) => [COLUMN + ours, form.columns[ours] || null]),
    ),
    missing: form.missing || null,
    score: form.scoreFields || null,
    ranker: form.ranker || null,
    encoding: form.encoding || null,
    duplicates: unless(form.duplicates, "refuse"),
    ids: unless(form.matchIds, "certain"),
    withdrawn: form.keepWithdrawn ? "yes" : null,
    drafts: form.countDrafts ? "yes" : null,
    conflicts: unless(form.conflicts, "refuse"),
    unranked: unless(form.unranked, "apart"),
    epsilon: unless(form.epsilon, EPSILON),
    scale: form.scale || null,
    same: form.sameWithin || null,
    rankings: form.ignoreRankings ? "no" : null,
    lam: unless(form.lam, "auto+"),
    sure: form.uncertainty ? null : "no",
    strictness: form.calibrate ? "yes" : null,
  };
}

/** The address of the import page with the settings of an earlier run. */
export function importAddress(conference: string, run: RunInfo): string {
  const { reading, method, lam, uncertainty, calibrate } = run;
  const form: ImportForm = {
    changed: [],
    format: reading.format,
    columns: reading.columns ?? {},
    missing: missingText(reading.missing),
    scoreFields: (reading.score_fields ?? []).join("; "),
    ranker: reading.ranker ?? "",
    encoding: reading.encoding,
    duplicates: reading.duplicates,
    matchIds: reading.match_ids,
    keepWithdrawn: reading.keep_withdrawn,
    countDrafts: reading.count_drafts,
    conflicts: method.conflicts,
    unranked: method.unranked,
    epsilon: String(method.epsilon),
    scale: method.scale ?? "",
    sameWithin: String(method.same_within ?? ""),
    ignoreRankings: method.ignore_rankings ?? false,
    lam,
    uncertainty,
    calibrate,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(queryFor(form))) if (value) query.set(name, value);
  return query.size ? `/c/${conference}?${query}` : `/c/${conference}`;
}

/** Values that mean "none", as text: "score=0; rank=99". */
export const missingText = (missing: Record<string, string> = {}): string =>
  Object.entries(missing)
    .map((pair) => pair.join("="))
    .join("; ");

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
  if (form.sameWithin && !(number(form.sameWithin) >= 0))
    mistakes.sameWithin = "A number, 0 or more; or leave it empty.";
  if (lambdaChoice(form.lam) === "given" && !(number(form.lam) > 0))
    mistakes.lam = "λ is a number above 0.";
  return mistakes;
}

function number(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : Number.NaN;
}

/** The estimates that a run computes beyond scores; a check does not need them. */
export const estimatesIn = ({ uncertainty, calibrate }: ImportForm) => ({ uncertainty, calibrate });

/** The ids of the files that are ticked. */
export const usedFiles = (
  { changed }: ImportForm,
  files: readonly Pick<FileInfo, "id" | "for_ballots">[],
): string[] =>
  files.filter((file) => changed.includes(file.id) === file.for_ballots).map((file) => file.id);

export function checkFor(form: ImportForm, files: string[]): CheckRequest {
  const fields = form.scoreFields.split(";").map((field) => field.trim());
  return {
    files,
    reading: {
      format: form.format,
      columns: form.columns,
      missing: missingIn(form.missing),
      score_fields: fields.filter(Boolean),
      ranker: form.ranker.trim() || null,
      encoding: form.encoding.trim(),
      duplicates: form.duplicates,
      match_ids: form.matchIds,
      keep_withdrawn: form.keepWithdrawn,
      count_drafts: form.countDrafts,
    },
    method: {
      scale: form.scale.trim() || null,
      epsilon: Number(form.epsilon),
      conflicts: form.conflicts,
      unranked: form.unranked,
      same_within: form.sameWithin ? Number(form.sameWithin) : null,
      ignore_rankings: form.ignoreRankings,
    },
  };
}
