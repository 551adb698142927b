// The controls of the comparison: values, statistic, search, filter.
import { useId } from "react";

import { counted, count } from "../../domain/format";
import { MODE_NAMES, MODES, STATISTICS, type Mode } from "../../domain/run";
import { NumberField } from "../../components/fields";
import { Switch } from "../../components/choices";
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
      <label className="labelled">
        <span>Statistic</span>
        <select
          className="select"
          value={state.statistic}
          onChange={({ target }) => set({ of: target.value === "mean" ? null : target.value })}
        >
          {STATISTICS.map((statistic) => (
            <option key={statistic} value={statistic}>
              {statistic.charAt(0).toUpperCase() + statistic.slice(1)}
            </option>
          ))}
        </select>
      </label>
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
