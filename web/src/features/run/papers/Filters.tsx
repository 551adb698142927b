// The search, the menu of filters, and a chip for each filter that is set.
import { useEffect, useRef } from "react";

import { Checkbox, SelectField } from "../../../components/choices";
import { Button, Menu } from "../../../components/buttons";
import { COLUMN_NAMES } from "../../../domain/columns";
import { choices, type Filter } from "../../../domain/filter";
import { labelsOf, tagsInUse, UNDECIDED } from "../../../domain/decisions";
import { PARTS } from "../../../domain/line";
import { isFiltering, NO_FILTER, writeFilter } from "../../../domain/tableState";
import { DraftInput } from "../../../components/fields";
import { useRun } from "../context";
import { PART_NAMES } from "../line/useLine";
import type { Table } from "../useTable";
import { STATISTICS } from "../../../domain/glossary";

/** The search. "/" leads to it from anywhere on the page. */
export function Search({ table }: { table: Table }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const slash = (event: KeyboardEvent) => {
      const typing = (event.target as Element | null)?.closest("input, textarea, select");
      if (event.key !== "/" || typing || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener("keydown", slash);
    return () => document.removeEventListener("keydown", slash);
  }, []);
  return (
    <input
      ref={field}
      type="text"
      inputMode="search"
      className="input papers-search no-print"
      aria-label="Search"
      aria-keyshortcuts="/"
      placeholder="/  Search paper, title, person or #place"
      value={table.state.filter.text}
      onChange={(event) => table.set(writeFilter({ text: event.target.value }))}
    />
  );
}

const TITLES = {
  track: "Track",
  areaChair: "Area chair",
  decision: "Decision",
  tag: "Tag",
  part: "Side of the line",
} as const;
const NO_DECISION = "none";
const CONTRADICTS = "Rank contradicts score";

export function FilterMenu({ table }: { table: Table }) {
  const { run } = useRun();
  const { filter, accept } = table.state;
  const change = (changes: Partial<Filter>) => table.set(writeFilter(changes));
  const { track, area_chair } = run.view.papers;
  const lists: [keyof typeof TITLES, (readonly [string, string])[]][] = [
    ["track", same(choices(track))],
    ["areaChair", same(choices(area_chair))],
    ["part", accept ? PARTS.map((part) => [part, PART_NAMES[part]] as const) : []],
    ["decision", run.marks ? [[UNDECIDED, NO_DECISION], ...same(labelsOf(run))] : []],
    ["tag", same(tagsInUse(run))],
  ];
  return (
    <Menu text="+ Filter" left>
      <div className="filter-menu" role="search" aria-label="Filters">
        {lists.map(
          ([name, options]) =>
            options.length > 0 && (
              <SelectField
                key={name}
                label={TITLES[name]}
                options={[["", "All"], ...options]}
                value={filter[name] ?? ""}
                onChange={(option) => change({ [name]: option || null })}
              />
            ),
        )}
        <fieldset className="range">
          <legend className="visually-hidden">Range of a statistic</legend>
          <SelectField
            label="Statistic"
            options={STATISTICS.map((name) => [name, COLUMN_NAMES[name]] as const)}
            value={filter.statistic}
            onChange={(statistic) => change({ statistic })}
          />
          {(["from", "to"] as const).map((end) => (
            <DraftInput
              key={end}
              narrow
              label={end === "from" ? "From" : "To"}
              inputMode="decimal"
              value={String(filter[end] ?? "")}
              onCommit={(text) =>
                change({ [end]: text && Number.isFinite(Number(text)) ? Number(text) : null })
              }
            />
          ))}
        </fieldset>
        <Checkbox checked={filter.contradicts} onChange={(contradicts) => change({ contradicts })}>
          {CONTRADICTS}
        </Checkbox>
        {isFiltering(filter) && (
          <Button look="quiet" onClick={() => change(NO_FILTER)}>
            Clear filters
          </Button>
        )}
      </div>
    </Menu>
  );
}

const same = (options: string[]) => options.map((option) => [option, option] as const);

/** The filters that are set, each with a button that removes it. */
export function FilterChips({ table }: { table: Table }) {
  const chips = chipsOf(table.state.filter);
  if (!chips.length) return null;
  return (
    <ul className="chips" aria-label="Filters that are set">
      {chips.map(([text, changes]) => (
        <li key={text}>
          <button
            type="button"
            className="chip"
            aria-label={`Remove the filter ${text}`}
            onClick={() => table.set(writeFilter(changes))}
          >
            {text} <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Each filter in words, with what removes it. */
function chipsOf(filter: Filter): [string, Partial<Filter>][] {
  const { part, decision, from, to } = filter;
  const shown = { ...filter, part: part && PART_NAMES[part] };
  if (decision === UNDECIDED) shown.decision = NO_DECISION;
  const chips = (Object.keys(TITLES) as (keyof typeof TITLES)[])
    .filter((name) => filter[name] !== null)
    .map((name): [string, Partial<Filter>] => [
      `${TITLES[name]}: ${shown[name]}`,
      { [name]: null },
    ]);
  const range = [from !== null && `from ${from}`, to !== null && `to ${to}`].filter(Boolean);
  if (range.length)
    chips.push([`${COLUMN_NAMES[filter.statistic]} ${range.join(" ")}`, { from: null, to: null }]);
  if (filter.contradicts) chips.push([CONTRADICTS, { contradicts: false }]);
  return chips;
}
