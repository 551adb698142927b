// A moment in the reader's time zone.
const LONG = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });

export function Time({ at, day = false }: { at: string; day?: boolean }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={LONG.format(moment)}>
      {(day ? DAY : LONG).format(moment)}
    </time>
  );
}
