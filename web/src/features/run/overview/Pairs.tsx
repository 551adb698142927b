// Names and values, one a line.
import type { ReactNode } from "react";

export function DefinitionList({ of }: { of: [string, ReactNode][] }) {
  return (
    <dl className="pairs">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
