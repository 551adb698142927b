import { UNDECIDED } from "../../../domain/decisions";

// A filter by one value of a column; absent when the column has no values.
export function SelectFilter({
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
