// Links in words, and as a table to be sent out.
import type { Schemas } from "../../api/client";
import { csvOf } from "../../domain/csv";

export type Link = Schemas["Link"];
export type MadeLink = Schemas["MadeLink"];
export type State = "open" | "ended" | "revoked";

export const STATE_NAMES: Record<State, string> = {
  open: "Open",
  ended: "Ended",
  revoked: "Revoked",
};

export function stateOf(link: Link, now: number): State {
  if (link.revoked) return "revoked";
  return link.expires && Date.parse(link.expires) <= now ? "ended" : "open";
}

/** Those that still open something first, then the newest. */
export function sorted(links: Link[], now: number): Link[] {
  const shut = (link: Link) => Number(stateOf(link, now) !== "open");
  return links.toSorted((a, b) => shut(a) - shut(b) || b.created.localeCompare(a.created));
}

export function linksAsCsv(links: MadeLink[]): string {
  const of = (row: number) => links[row] as MadeLink;
  const columns = [
    { name: "area_chair", cell: (row: number) => of(row).name },
    { name: "email", cell: (row: number) => of(row).email },
    { name: "link", cell: (row: number) => of(row).url },
  ];
  return csvOf(
    columns,
    links.map((_, row) => row),
  );
}

/** Days as typed: a whole number, nothing for a link without end; undefined for neither. */
export function daysIn(text: string): number | null | undefined {
  if (!text.trim()) return null;
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= 3650 ? days : undefined;
}

/** A day as the calendar field has it -> the last moment of it, in the reader's time zone. */
export function endOfDay(day: string): string | null {
  if (!day) return null;
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date, 23, 59, 59).toISOString();
}

export function dayOf(moment: string | null): string {
  if (!moment) return "";
  const at = new Date(moment);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
