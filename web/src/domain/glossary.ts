// The words for policies, λ choices, statistics, statuses, stages and kinds of issues. glossary.json is
// written by `python -m unround.wording`; the annotations below fail when it lacks a value that the API has.
import type { CheckRequest, JobStatus, View } from "../api/types";
import {
  conference_systems,
  disclosures,
  duplicates,
  issue_kinds,
  lambda_choices,
  match_ids,
  other_formats,
  policies,
  stages,
  statistics,
  statuses,
  terms,
  unranked,
} from "./glossary.json";

export interface Entry {
  title: string;
  text: string; // a sentence
}

export type Policy = CheckRequest["method"]["conflicts"];
export type Unranked = CheckRequest["method"]["unranked"];
export type Disclosure = NonNullable<View["disclosure"]>;
export type Format = CheckRequest["reading"]["format"];
export type LambdaChoice = "auto" | "auto+" | "given" | "inf";

export const POLICIES: Record<Policy, Entry> = policies;
export const UNRANKED: Record<Unranked, Entry> = unranked;
export const DUPLICATE_WORDS: Record<CheckRequest["reading"]["duplicates"], Entry> = duplicates;
export const MATCH_WORDS: Record<CheckRequest["reading"]["match_ids"], Entry> = match_ids;
export const DISCLOSURES: Record<Disclosure, Entry> = disclosures;
export const LAMBDA_CHOICES: Record<LambdaChoice, Entry> = lambda_choices;
export const STATUSES: Record<JobStatus, Entry> = statuses;
export interface StatisticWords extends Entry {
  plural: string;
  extra_decimals: number; // that given scores need beyond the decimals of the scale
  least_decimals: number; // of given scores
  follows_scores: boolean; // whether it can only rise where a score rises
}

/** The statistics of a paper's scores, in the order of columns. */
export type Statistic = keyof typeof statistics;
export const STATISTIC_WORDS: Record<Statistic, StatisticWords> = statistics;

/** What can be read, by its name in the API, conference systems first. */
export const SYSTEMS: Record<Exclude<Format, "auto">, Entry> = {
  ...conference_systems,
  ...other_formats,
};
/** The conference systems as a sentence lists them, with "or" before the last. */
export const NAMED_SYSTEMS = Object.values(conference_systems)
  .map(({ title }) => title)
  .join(", ")
  .replace(/, ([^,]*)$/, " or $1");
/** What the pages of a run call the method's parts. */
export const TERMS: Record<"rounding_range" | "lambda" | "epsilon" | "checked", Entry> = terms;
/** Inside a sentence. */
export const ROUNDING_RANGE = terms.rounding_range.title.toLowerCase();
// The API has plain text for these two: a newer server may know more of them.
const STAGES: OpenGroup = stages;
const ISSUE_KINDS: OpenGroup = issue_kinds;

/** The values of a group, in the order in which pages list them. */
export const namesIn = <Name extends string>(group: Record<Name, Entry>): Name[] =>
  Object.keys(group) as Name[];

/** The values of a group with their titles, for a control. */
export const choicesIn = <Name extends string>(group: Record<Name, Entry>): [Name, string][] =>
  namesIn(group).map((name) => [name, group[name].title]);

/** The title of each value of a group. */
export const titlesIn = <Name extends string>(group: Record<Name, Entry>): Record<Name, string> =>
  Object.fromEntries(namesIn(group).map((name) => [name, group[name].title])) as Record<
    Name,
    string
  >;

type OpenGroup = Partial<Record<string, Entry>>;

/** The title of a value in a run's record, which may be absent or unknown to this version. */
export const titleIn = (group: OpenGroup, name: string | null): string =>
  group[name ?? ""]?.title ?? name ?? "";

/** How λ was asked for: "auto", "auto+", "inf" or, for any other text, a number. */
export const lambdaChoice = (lam: string): LambdaChoice =>
  lam === "auto" || lam === "auto+" || lam === "inf" ? lam : "given";

export const issueTitle = (kind: string): string => ISSUE_KINDS[kind]?.title ?? sentence(kind);

/** What to do about an issue; `advice` is the server's, for kinds without an entry. */
export const issueAdvice = (kind: string, advice: string): string =>
  ISSUE_KINDS[kind]?.text ?? (advice && `${sentence(advice)}.`);

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}`;

export const isOver = (status: JobStatus): boolean => status !== "queued" && status !== "running";

/** What a job is doing, in a few words. */
export function stageTitle(status: JobStatus, stage: string | null): string {
  if (status === "queued") return "Waiting for its turn";
  if (stage === null) return "Starting";
  return STAGES[stage]?.title ?? sentence(stage);
}
