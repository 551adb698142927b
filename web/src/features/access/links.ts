// Links: their state, their order, and a table of new ones to send out.
import type { AreaChairDetail, CreatedLink, Link } from "../../api/schema";
import { csvOf } from "../../domain/exportTable";

export type LinkState = "open" | "expired" | "revoked";

export const STATE_NAMES: Record<LinkState, string> = {
  open: "Active",
  expired: "Expired",
  revoked: "Revoked",
};

export function stateOf(link: Link, now: number): LinkState {
  if (link.revoked) return "revoked";
  return link.expires && Date.parse(link.expires) <= now ? "expired" : "open";
}

/** Open links first, then the newest. */
export function sortedLinks(links: Link[], now: number): Link[] {
  const closed = (link: Link) => Number(stateOf(link, now) !== "open");
  return links.toSorted((a, b) => closed(a) - closed(b) || b.created.localeCompare(a.created));
}

/** A new link, as far as it is shown and written to a table. */
export type ShownLink = Pick<CreatedLink, "id" | "name" | "email" | "expires" | "url">;

export function linksAsCsv(links: ShownLink[]): string {
  const columns = [
    { name: "area_chair", cell: (row: number) => links[row]?.name ?? null },
    { name: "email", cell: (row: number) => links[row]?.email ?? null },
    { name: "expires", cell: (row: number) => momentText(links[row]?.expires ?? null) },
    { name: "link", cell: (row: number) => links[row]?.url ?? null },
  ];
  return csvOf(
    columns,
    links.map((_, row) => row),
  );
}

/** A moment for a letter to people in many time zones: "2026-06-01 22:59 UTC", or empty. */
function momentText(moment: string | null): string | null {
  return moment && `${new Date(moment).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** How many of these people have a link that works. */
export function withOpenLink(people: AreaChairDetail[], now: number): number {
  return people.filter(({ links }) => links.some((link) => stateOf(link, now) === "open")).length;
}

/** The days typed in: null for a link that never expires, undefined for what is no valid number. */
export function daysIn(text: string): number | null | undefined {
  if (!text.trim()) return null;
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= 3650 ? days : undefined;
}
