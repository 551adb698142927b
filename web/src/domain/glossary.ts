// The lists of choices, systems, statistics, statuses and kinds of issues, with their words. Python has
// the tables: `python docs/_tools/wording.py` writes glossary.json. Where it lacks a value of the API, the
// types below do not match.
import { capitalized } from "./format";
import type { JobProgress, NewCheck, operations, SystemAccess, View } from "../api/schema";
import {
  conference_systems,
  decisions,
  disclosure_advice,
  disclosure_notes,
  disclosures,
  duplicates,
  export_parts,
  input_columns,
  issue_kinds,
  lambda_choices,
  lambda_reasons,
  live_systems,
  match_ids,
  other_formats,
  policies,
  ranking_exports,
  stages,
  statistics,
  statuses,
  system_exports,
  terms,
  unranked,
} from "./glossary.json";

export interface Entry {
  title: string;
  text: string; // a sentence
}

type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]["parameters"]["query"]>;
export type JobStatus = JobProgress["status"];
export type SystemExport = operations["export_for_system"]["parameters"]["path"]["target"];
export type ExportPart = NonNullable<QueryOf<"export_for_system">["include"]>[number];
export type Policy = NewCheck["method"]["conflicts"];
export type Unranked = NewCheck["method"]["unranked"];
export type Disclosure = NonNullable<View["disclosure"]>;
export type Format = NewCheck["reading"]["format"];
export type Duplicates = NewCheck["reading"]["duplicates"];
export type MatchIds = NewCheck["reading"]["match_ids"];
type LambdaChoice = keyof typeof lambda_choices;
export type Statistic = keyof typeof statistics;
export type RankingFormat = NonNullable<QueryOf<"export_collection">["to"]>;

export const POLICIES: Record<Policy, Entry> = policies;
export const UNRANKED: Record<Unranked, Entry> = unranked;
export const DISCLOSURES: Record<Disclosure, Entry> = disclosures;
/** The same as area chairs read it. */
export const DISCLOSURE_NOTES: Record<Disclosure, string> = disclosure_notes;
/** What chairs read beside the choice. */
export const DISCLOSURE_ADVICE = disclosure_advice;
export const LAMBDA_CHOICES: Record<LambdaChoice, Entry> = lambda_choices;
/** How λ came about, in a clause. */
export const LAMBDA_REASONS = lambda_reasons;
export const STATUSES: Record<JobStatus, Entry> = statuses;
/** What can be read, by its name in the API, conference systems first. */
export const SYSTEMS: Record<Exclude<Format, "auto">, Entry> = {
  ...conference_systems,
  ...other_formats,
};
/** "HotCRP, OpenReview, CMT or EasyChair". */
export const NAMED_SYSTEMS = Object.values(conference_systems)
  .map(({ title }) => title)
  .join(", ")
  .replace(/, ([^,]*)$/, " or $1");
export const SYSTEM_EXPORTS: Record<SystemExport, Entry> = system_exports;
/** What an export for HotCRP can hold. */
export const EXPORT_PARTS: Record<ExportPart, Entry> = export_parts;
/** "HotCRP, OpenReview or CMT": the systems that a run can be exported to. */
export const EXPORT_SYSTEMS = [
  ...new Set(
    Object.keys(system_exports).map((name) => name.split("-")[0] as Exclude<Format, "auto">),
  ),
]
  .map((system) => SYSTEMS[system].title)
  .join(", ")
  .replace(/, ([^,]*)$/, " or $1");
export const RANKING_EXPORTS: Record<RankingFormat, string> = ranking_exports;
export const DUPLICATES: Record<Duplicates, Entry> = duplicates;
/** Systems that the server can fetch from and send to. */
export const LIVE_SYSTEMS: Record<SystemAccess["system"], Entry> = live_systems;
export const MATCH_IDS: Record<MatchIds, Entry> = match_ids;
/** The columns that can be named by hand, with their names on the page. */
export const INPUT_COLUMNS: Record<string, string> = input_columns;
interface StatisticWords extends Entry {
  plural: string;
  extra_decimals: number; // that given scores need beyond the decimals of the scale
  least_decimals: number; // of given scores
  follows_scores: boolean; // whether it can only rise where a score rises
}
export const STATISTIC_WORDS: Record<Statistic, StatisticWords> = statistics;
export const STATISTICS = Object.keys(statistics) as Statistic[];
/** Inside a sentence: "mean", "range (max − min)". */
export const statisticName = (name: Statistic): string => STATISTIC_WORDS[name].title.toLowerCase();
/** The decisions that are always offered; chairs may write others. */
export const DECISIONS: string[] = decisions;
/** What the pages of a run call the method's parts. */
export const TERMS: Record<keyof typeof terms, Entry> = terms;
/** Inside a sentence. */
export const ROUNDING_RANGE = terms.rounding_range.title.toLowerCase();
// The API has plain text for these two: a newer server may know more of them.
const STAGES: OpenGroup = stages;
const ISSUE_KINDS: OpenGroup = issue_kinds;

/** The values of a group, in the order in which pages list them. */
export const namesIn = <Name extends string>(group: Record<Name, Entry | string>): Name[] =>
  Object.keys(group) as Name[];

/** The values of a group with their titles, for lists and switches. */
export const optionsIn = <Name extends string>(
  group: Record<Name, Entry | string>,
): (readonly [Name, string])[] =>
  namesIn(group).map((name) => {
    const entry: Entry | string = group[name];
    return [name, typeof entry === "string" ? entry : entry.title];
  });

type OpenGroup = Partial<Record<string, Entry>>;

/** The title of a value in a run's record, which may be absent or unknown to this version. */
export const titleIn = (group: OpenGroup, name: string | null): string =>
  group[name ?? ""]?.title ?? name ?? "";

/** The choice behind a setting of λ: "auto", "auto+", "inf" or, for any other text, a number. */
export const lambdaChoice = (lam: string): LambdaChoice =>
  lam === "auto" || lam === "auto+" || lam === "inf" ? lam : "given";

export const issueTitle = (kind: string): string => ISSUE_KINDS[kind]?.title ?? sentence(kind);

/** What to do about an issue; `advice` is the server's, for kinds without an entry. */
export const issueAdvice = (kind: string, advice: string): string =>
  ISSUE_KINDS[kind]?.text ?? (advice && `${sentence(advice)}.`);

const sentence = (text: string): string => capitalized(text.replace(/\.$/, ""));

export const isOver = (status: JobStatus): boolean => status !== "queued" && status !== "running";

/** What a job is doing, in a few words. */
export function stageTitle(status: JobStatus, stage: string | null): string {
  if (status === "queued") return "Waiting for its turn";
  if (stage === null) return "Starting";
  return STAGES[stage]?.title ?? sentence(stage);
}
