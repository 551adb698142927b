// The search, the menu of filters, and a chip for each filter that is set.
import { useEffect, useRef } from "react";

import { Checkbox, SelectField } from "../../../components/choices";
import { Button, Menu } from "../../../components/buttons";
import { COLUMNS } from "../../../domain/columns";
import { chosenIn, type Filter } from "../../../domain/order";
import { PARTS } from "../../../domain/line";
import {
  clearFilter,
  isFiltering,
  writeFilter,
  type FilterChanges,
} from "../../../domain/tableState";
import { DraftInput } from "../../../components/fields";
import type { Run } from "../../../domain/run";
import { useRun } from "../context";
import { PART_NAMES } from "../line/lineWords";
import { useTable } from "../useTable";
import { optionsIn, STATISTIC_WORDS } from "../../../domain/glossary";

/** The search. "/" leads to it from anywhere on the page. */
export function Search() {
  const table = useTable();
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

const PART_TITLE = "Side of the line";
const CONTRADICTS = "Rank contradicts score";

export function FilterMenu() {
  const table = useTable();
  const { run } = useRun();
  const { filter, accept } = table.state;
  const change = (changes: FilterChanges) => table.set(writeFilter(changes));
  return (
    <Menu text="+ Filter" left>
      <div className="filter-menu" role="search" aria-label="Filters">
        {COLUMNS.map(({ title, filter: own }) => {
          const options = own?.options(run) ?? [];
          return (
            own &&
            options.length > 0 && (
              <SelectField
                key={own.name}
                label={own.title ?? title}
                options={[["", "All"], ...options]}
                value={filter.values[own.name] ?? ""}
                onChange={(option) => change({ values: { [own.name]: option || null } })}
              />
            )
          );
        })}
        {accept && (
          <SelectField
            label={PART_TITLE}
            options={[["", "All"], ...PARTS.map((part) => [part, PART_NAMES[part]] as const)]}
            value={filter.part ?? ""}
            onChange={(part) => change({ part: part || null })}
          />
        )}
        <fieldset className="bare row range">
          <legend className="visually-hidden">Range of a statistic</legend>
          <SelectField
            label="Statistic"
            options={optionsIn(STATISTIC_WORDS)}
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
          <Button look="quiet" onClick={() => table.set(clearFilter())}>
            Clear filters
          </Button>
        )}
      </div>
    </Menu>
  );
}

/** The filters that are set, each with a button that removes it. */
export function FilterChips() {
  const table = useTable();
  const { run } = useRun();
  const chips = chipsOf(run, table.state.filter);
  if (!chips.length) return null;
  return (
    <ul className="bare row tight" aria-label="Filters that are set">
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
function chipsOf(run: Run, filter: Filter): [string, FilterChanges][] {
  const { part, from, to, statistic } = filter;
  const chips = chosenIn(filter).flatMap(([{ title, filter: own }, value]) => {
    if (!own) return [];
    const [, text = value] = own.options(run).find(([option]) => option === value) ?? [];
    const changes: FilterChanges = { values: { [own.name]: null } };
    return [[`${own.title ?? title}: ${text}`, changes] as [string, FilterChanges]];
  });
  if (part) chips.push([`${PART_TITLE}: ${PART_NAMES[part]}`, { part: null }]);
  const range = [from !== null && `from ${from}`, to !== null && `to ${to}`].filter(Boolean);
  if (range.length)
    chips.push([
      `${STATISTIC_WORDS[statistic].title} ${range.join(" ")}`,
      { from: null, to: null },
    ]);
  if (filter.contradicts) chips.push([CONTRADICTS, { contradicts: false }]);
  return chips;
}
