// The state of the table of papers in the address; defaults are left out.
import { COLUMNS, columnsOf, isSortable, type PaperColumn } from "./columns";
import type { Filter, SortBy } from "./order";
import { acceptText, PARTS, type Accept } from "./line";
import { MODES, type Mode, type Run } from "./run";
import { STATISTICS } from "./glossary";

export interface TableState {
  mode: Mode;
  sort: SortBy[];
  filter: Filter;
  accept: Accept | null; // the line
  columns: string[]; // shown, in the table's order
  open: Set<number>;
}

export type Changes = Record<string, string | null>;

/** Whether changes add a step to the history, so that Back undoes them. While somebody types, only the
 * first letter and clearing the field do. */
export function isStep(changes: Changes, query: URLSearchParams): boolean {
  return Object.entries(changes).some(([name, value]) =>
    TYPED.includes(name) ? Boolean(value) !== query.has(name) : value !== query.get(name),
  );
}

/** Parameters that readers type. */
const TYPED = ["q", "from", "to", "accept"];

// Separators that need no escape in an address: "." and " " (written "+").
const LIST = ".";
const IDS = " ";
const DEFAULT_MODE: Mode = "dequantized";
const BY_MEAN: SortBy[] = [{ id: "mean", desc: true }];

/** `savedLine` is the line for an address without one. */
export function readTable(
  query: URLSearchParams,
  run: Run,
  savedLine: Accept | null = null,
): TableState {
  const accept = readAccept(query, run) ?? savedLine;
  const known = columnsOf(run, accept);
  return {
    mode: oneOf(MODES, query.get("mode")) ?? DEFAULT_MODE,
    sort: readSort(query.get("sort"), known),
    filter: {
      text: query.get("q") ?? "",
      statistic: oneOf(STATISTICS, query.get("of")) ?? NO_FILTER.statistic,
      from: readNumber(query.get("from")),
      to: readNumber(query.get("to")),
      contradicts: query.get("contradicts") === "yes",
      part: accept ? (oneOf(PARTS, query.get("line")) ?? null) : null,
      values: readValues(query),
    },
    accept,
    columns: readColumns(query.get("columns"), known, run),
    open: readOpen(query.get("open"), run),
  };
}

export const writeMode = (mode: Mode): Changes => ({ mode: mode === DEFAULT_MODE ? null : mode });

export function writeSort(sort: SortBy[]): Changes {
  const text = sortText(sort);
  return { sort: text === sortText(BY_MEAN) ? null : text };
}

const sortText = (sort: SortBy[]): string =>
  sort.map(({ id, desc }) => (desc ? `-${id}` : id)).join(LIST);

/** The parameters of the filter, beside those of columns. */
const PARAMETERS: Record<Exclude<keyof Filter, "values">, string> = {
  ...{ text: "q", statistic: "of", from: "from", to: "to", part: "line" },
  contradicts: "contradicts",
};

export const NO_FILTER: Filter = {
  text: "",
  statistic: "mean",
  from: null,
  to: null,
  contradicts: false,
  part: null,
  values: {},
};

/** Whether the filter hides anything. The choice of a statistic alone does not. */
export const isFiltering = (filter: Filter): boolean =>
  Object.entries(writeFilter(filter)).some(
    ([name, value]) => name !== PARAMETERS.statistic && value !== null,
  );

/** `values` has the columns to change, null for no filter. */
export type FilterChanges = Partial<Omit<Filter, "values">> & {
  values?: Record<string, string | null>;
};

export function writeFilter({ values = {}, ...changes }: FilterChanges): Changes {
  const written = Object.entries(changes).map(([key, value]) => {
    const name = key as keyof typeof PARAMETERS;
    const text = value === true ? "yes" : String(value);
    return [PARAMETERS[name], value === NO_FILTER[name] ? null : text];
  });
  return { ...(Object.fromEntries(written) as Changes), ...values };
}

export const clearFilter = (): Changes =>
  writeFilter({
    ...NO_FILTER,
    values: Object.fromEntries(filterNames().map((name) => [name, null])),
  });

const filterNames = (): string[] => COLUMNS.flatMap(({ filter }) => filter?.name ?? []);

function readValues(query: URLSearchParams): Filter["values"] {
  const values = filterNames().map((name) => [name, query.get(name)]);
  return Object.fromEntries(values.filter(([, value]) => value !== null)) as Filter["values"];
}

/** Without a line, no part of it can be shown alone. */
export function writeAccept(accept: Accept | null): Changes {
  if (!accept) return { accept: null, per: null, line: null };
  return { accept: acceptText(accept), per: accept.perTrack ? "track" : null };
}

/** What a reader may type: "500", "25%", "25 %", "2,000". Null for anything else. */
export function readAmount(text: string): Omit<Accept, "perTrack"> | null {
  const [, digits = "", sign] = /^([\d.,]+)\s*(%?)$/.exec(text.trim()) ?? [];
  const amount = Number(digits.replace(/,(?=\d{3}(?!\d))/g, "").replace(",", ".") || Number.NaN);
  const percent = sign === "%";
  if (!Number.isFinite(amount) || (percent ? amount > 100 : !Number.isInteger(amount))) return null;
  return { amount, percent };
}

function readAccept(query: URLSearchParams, run: Run): Accept | null {
  const read = readAmount(query.get("accept") ?? "");
  const perTrack = query.get("per") === "track" && run.view.papers.track !== null;
  return read && { ...read, perTrack };
}

/** Columns that are not there without a line keep their state for when there is one. */
export function writeColumns(
  run: Run,
  shown: string[],
  known: PaperColumn[],
  query: URLSearchParams,
): Changes {
  const before = readColumns(query.get("columns"), COLUMNS, run);
  const after = COLUMNS.filter((column) =>
    (known.includes(column) ? shown : before).includes(column.id),
  );
  const same = COLUMNS.every((column) => after.includes(column) === isShownAtFirst(run, column));
  return { columns: same ? null : idsOf(after).join(LIST) };
}

export function writeOpen(open: Set<number>, run: Run): Changes {
  const ids = [...open].map((paper) => encodeURIComponent(String(run.view.papers.paper[paper])));
  return { open: ids.join(IDS) || null };
}

function readSort(text: string | null, known: PaperColumn[]): SortBy[] {
  const sort = (text ?? "").split(LIST).flatMap((part) => {
    const column = known.find(({ id }) => id === part.replace(/^-/, ""));
    if (!column || !isSortable(column)) return [];
    return [{ id: column.id, desc: part.startsWith("-") }];
  });
  return sort.length ? sort : BY_MEAN;
}

function readColumns(text: string | null, known: PaperColumn[], run: Run): string[] {
  if (text === null) return idsOf(known.filter((column) => isShownAtFirst(run, column)));
  const names = text.split(LIST);
  return idsOf(known).filter((id) => id === "paper" || names.includes(id));
}

const isShownAtFirst = (run: Run, { isShown }: PaperColumn): boolean => isShown?.(run) ?? false;
const idsOf = (columns: PaperColumn[]): string[] => columns.map(({ id }) => id);

function readOpen(text: string | null, run: Run): Set<number> {
  const papers = (text ?? "").split(IDS).map((id) => run.paperIndex.get(decoded(id)));
  return new Set(papers.filter((paper) => paper !== undefined));
}

/** Decode a part of an address; one with a stray "%" stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readNumber(text: string | null): number | null {
  const value = text === null || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

function oneOf<T extends string>(options: readonly T[], text: string | null): T | undefined {
  return options.find((option) => option === text);
}
