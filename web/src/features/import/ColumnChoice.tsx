// The column of the files for one of ours: chosen from a list, or typed in.
import { useId, useState } from "react";

import { DraftInput } from "../../components/DraftInput";

const OTHER = "\u0000other";

export function ColumnChoice({
  name,
  theirs,
  value,
  onChange,
}: {
  name: string;
  theirs: string[];
  value: string; // "": as recognised
  onChange(column: string): void;
}) {
  const id = useId();
  const [typing, setTyping] = useState(false);
  if (typing || !theirs.length || (value && !theirs.includes(value)))
    return (
      <DraftInput
        label={name}
        value={value}
        placeholder="As recognised"
        onCommit={(column) => {
          setTyping(false);
          onChange(column);
        }}
      />
    );
  return (
    <div className="field">
      <label htmlFor={id}>{name}</label>
      <select
        id={id}
        className="select"
        value={value}
        onChange={({ target }) =>
          target.value === OTHER ? setTyping(true) : onChange(target.value)
        }
      >
        <option value="">As recognised</option>
        {theirs.map((column) => (
          <option key={column} value={column}>
            {column}
          </option>
        ))}
        <option value={OTHER}>Another name…</option>
      </select>
    </div>
  );
}
