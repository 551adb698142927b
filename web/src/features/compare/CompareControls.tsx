// The controls of the comparison: values, statistic, search, filter.
import { useId } from "react";

import { COLUMN_NAMES } from "../../domain/columns";
import { counted, count } from "../../domain/format";
import { MODE_NAMES, MODES, STATISTICS, type Mode } from "../../domain/run";
import { NumberField } from "../../components/fields";
import { SelectField, Switch } from "../../components/choices";
import { useRoute } from "../../app/route";
import type { CompareState } from "./compareState";

const NAMES = MODES.map(
  (mode) => [mode, mode === "given" ? "Given scores" : MODE_NAMES[mode]] as const,
);

export function CompareControls({
  state,
  shown,
  of,
}: {
  state: CompareState;
  shown: number;
  of: number;
}) {
  const { set } = useRoute();
  const id = useId();
  return (
    <div className="row compare-controls">
      <Switch<Mode>
        label="Values"
        options={NAMES}
        value={state.mode}
        onChange={(mode) => set({ mode: mode === "dequantized" ? null : mode })}
      />
      <SelectField
        label="Statistic"
        options={STATISTICS.map((name) => [name, COLUMN_NAMES[name]] as const)}
        value={state.statistic}
        onChange={(statistic) => set({ of: statistic === "mean" ? null : statistic })}
      />
      <label className="labelled" htmlFor={id}>
        <span>Search</span>
        <input
          id={id}
          type="search"
          className="input"
          placeholder="Paper, title, track"
          value={state.text}
          onChange={({ target }) => set({ q: target.value || null })}
        />
      </label>
      <NumberField
        label="Moved by at least"
        min={0}
        value={state.movedBy}
        onChange={(value) => set({ moved: value === null ? null : String(value) })}
      />
      <span className="soft grow number" role="status">
        {shown === of ? counted(of, "paper") : `${count(shown)} of ${counted(of, "paper")}`}
      </span>
    </div>
  );
}
