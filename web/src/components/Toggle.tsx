// A switch whose state the server keeps. It shows the new state while the change is pending.

export function Toggle({
  label,
  checked,
  change,
  describedBy,
}: {
  label: string;
  checked: boolean;
  change: { isPending: boolean; variables: boolean | undefined; mutate(next: boolean): void };
  describedBy?: string;
}) {
  return (
    <input
      type="checkbox"
      role="switch"
      className="toggle"
      aria-label={label}
      aria-describedby={describedBy}
      checked={change.isPending ? change.variables : checked}
      onChange={(event) => change.mutate(event.target.checked)}
    />
  );
}
