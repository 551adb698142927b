// Names with their values, and moments.
import type { ReactNode } from "react";

/** Names with their values. */
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

const LONG = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });

/** A moment in the reader's time zone, or only its day. */
export function Time({ at, day = false }: { at: string; day?: boolean }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={day ? undefined : LONG.format(moment)}>
      {(day ? DAY : LONG).format(moment)}
    </time>
  );
}
