// Names and values.
import type { ReactNode } from "react";

export function DefinitionList({
  items,
  className,
}: {
  items: readonly (readonly [string, ReactNode])[];
  className: string;
}) {
  return (
    <dl className={className}>
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
