// The filters of the table. On a small screen all but the search are behind a button.
import { useState } from "react";

import { COLUMN_NAMES } from "../../../domain/columns";
import { choices, type Filter } from "../../../domain/filter";
import { labelsOf, tagsInUse, UNDECIDED } from "../../../domain/decisions";
import { hasDistances, STATISTICS, type Statistic } from "../../../domain/run";
import { isFiltering, NO_FILTER, writeFilter } from "../../../domain/tableState";
import { NumberField } from "../../../components/fields";
import { useRun } from "../context";
import type { Table } from "../useTable";

export function Filters({ table }: { table: Table }) {
  const { run } = useRun();
  const [more, setMore] = useState(false);
  const { filter } = table.state;
  const change = (changes: Partial<Filter>) => table.set(writeFilter(changes));
  return (
    <div role="search" aria-label="Filters" className="filters no-print">
      <label className="labelled filters-search">
        <span>Search</span>
        <input
          type="text"
          inputMode="search"
          className="input"
          placeholder="Paper, title, reviewer, …"
          value={filter.text}
          onChange={(event) => change({ text: event.target.value })}
        />
      </label>
      <button
        type="button"
        className="button filters-more"
        aria-expanded={more}
        onClick={() => setMore(!more)}
      >
        {more ? "Fewer filters" : "More filters"}
      </button>
      <div className={more ? "filters-rest shown" : "filters-rest"}>
        <SelectFilter
          label="Track"
          all="All tracks"
          options={choices(run.view.papers.track)}
          value={filter.track}
          onChange={(track) => change({ track })}
        />
        <SelectFilter
          label="Area chair"
          all="All area chairs"
          options={choices(run.view.papers.area_chair)}
          value={filter.areaChair}
          onChange={(areaChair) => change({ areaChair })}
        />
        {run.marks && (
          <>
            <SelectFilter
              label="Decision"
              all="All decisions"
              none="No decision"
              options={labelsOf(run)}
              value={filter.decision}
              onChange={(decision) => change({ decision })}
            />
            <SelectFilter
              label="Tag"
              all="All tags"
              options={tagsInUse(run)}
              value={filter.tag}
              onChange={(tag) => change({ tag })}
            />
          </>
        )}
        <RangeFilter filter={filter} change={change} />
        {hasDistances(run.view) && (
          <NumberField
            label="Moved by at least"
            value={filter.movedBy}
            min={0}
            step={0.05}
            onChange={(movedBy) => change({ movedBy })}
          />
        )}
        <NumberField
          label="Change of place"
          value={filter.changedBy}
          min={0}
          step={1}
          placeholder="at least"
          onChange={(changedBy) => change({ changedBy })}
        />
        <div className="ticks">
          <label className="tick">
            <input
              type="checkbox"
              checked={filter.contradicts}
              onChange={(event) => change({ contradicts: event.target.checked })}
            />
            Rank contradicts score
          </label>
          <label className="tick">
            <input
              type="checkbox"
              checked={filter.tieBroken}
              onChange={(event) => change({ tieBroken: event.target.checked })}
            />
            Tie broken
          </label>
        </div>
        {isFiltering(filter) && (
          <button type="button" className="button quiet" onClick={() => change(NO_FILTER)}>
            Clear filters
          </button>
        )}
      </div>
    </div>
  );
}

function RangeFilter({
  filter,
  change,
}: {
  filter: Filter;
  change(changes: Partial<Filter>): void;
}) {
  return (
    <fieldset className="range">
      <legend className="visually-hidden">Range of a statistic</legend>
      <label className="labelled">
        <span>Statistic</span>
        <select
          className="select"
          value={filter.statistic}
          onChange={(event) => change({ statistic: event.target.value as Statistic })}
        >
          {STATISTICS.map((statistic) => (
            <option key={statistic} value={statistic}>
              {COLUMN_NAMES[statistic]}
            </option>
          ))}
        </select>
      </label>
      <NumberField label="From" value={filter.from} onChange={(from) => change({ from })} />
      <NumberField label="To" value={filter.to} onChange={(to) => change({ to })} />
    </fieldset>
  );
}

// A filter by one value of a column; absent when the column has no values.
function SelectFilter({
  label,
  all,
  none,
  options,
  value,
  onChange,
}: {
  label: string;
  all: string;
  none?: string; // the text for papers without a value
  options: string[];
  value: string | null;
  onChange(value: string | null): void;
}) {
  if (!options.length) return null;
  return (
    <label className="labelled">
      <span>{label}</span>
      <select
        className="select choice"
        value={value ?? ""}
        onChange={(event) => onChange(event.target.value || null)}
      >
        <option value="">{all}</option>
        {none && <option value={UNDECIDED}>{none}</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  );
}
