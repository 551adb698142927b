// A switch whose state the server keeps. It moves at once, and back if the server refuses.
import { useState } from "react";

export function Toggle({
  label,
  checked,
  onChange,
  describedBy,
}: {
  label: string;
  checked: boolean;
  onChange(next: boolean): Promise<boolean>; // true: the server took it
  describedBy?: string;
}) {
  const [wanted, setWanted] = useState<boolean | null>(null);
  if (wanted === checked) setWanted(null); // arrived
  return (
    <input
      type="checkbox"
      role="switch"
      className="toggle"
      aria-label={label}
      aria-describedby={describedBy}
      checked={wanted ?? checked}
      onChange={async (event) => {
        const next = event.target.checked;
        setWanted(next);
        if (!(await onChange(next))) setWanted(null);
      }}
    />
  );
}
