// The filters of the table. On a small screen all but the search are behind a button.
import { useState } from "react";

import { Checkbox, SelectField } from "../../../components/choices";
import { Button } from "../../../components/buttons";
import { COLUMN_NAMES } from "../../../domain/columns";
import { choices, type Filter } from "../../../domain/filter";
import { labelsOf, tagsInUse, UNDECIDED } from "../../../domain/decisions";
import { hasScores } from "../../../domain/run";
import { isFiltering, NO_FILTER, writeFilter } from "../../../domain/tableState";
import { NumberField } from "../../../components/fields";
import { useRun } from "../context";
import type { Table } from "../useTable";
import { STATISTICS } from "../../../domain/glossary";

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
      <Button look="filters-more" aria-expanded={more} onClick={() => setMore(!more)}>
        {more ? "Fewer filters" : "More filters"}
      </Button>
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
        {hasScores(run.view) && (
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
        <div className="filter-checkboxes">
          <Checkbox
            checked={filter.contradicts}
            onChange={(checked) => change({ contradicts: checked })}
          >
            Rank contradicts score
          </Checkbox>
          <Checkbox
            checked={filter.tieBroken}
            onChange={(checked) => change({ tieBroken: checked })}
          >
            Tie broken
          </Checkbox>
        </div>
        {isFiltering(filter) && (
          <Button look="quiet" onClick={() => change(NO_FILTER)}>
            Clear filters
          </Button>
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
      <SelectField
        label="Statistic"
        options={STATISTICS.map((name) => [name, COLUMN_NAMES[name]] as const)}
        value={filter.statistic}
        onChange={(statistic) => change({ statistic })}
      />
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
    <SelectField
      label={label}
      look="choice"
      options={[
        ["", all],
        ...(none ? [[UNDECIDED, none] as const] : []),
        ...options.map((option) => [option, option] as const),
      ]}
      value={value ?? ""}
      onChange={(option) => onChange(option || null)}
    />
  );
}
