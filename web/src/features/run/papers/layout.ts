// The columns as the screen has room for them.
import type { Column } from "../../../domain/columns";
import type { SortBy } from "../../../domain/order";
import type { Ruling } from "../../../domain/places";
import { useMedia } from "../../../components/useMedia";

/** Cards of two lines, a table with the sorted column beside the paper, or the table as it is. */
export type Layout = "cards" | "narrow" | "wide";

export function useLayout(): Layout {
  const cards = useMedia("(max-width: 37.49rem)");
  const narrow = useMedia("(max-width: 100rem)");
  return cards ? "cards" : narrow ? "narrow" : "wide";
}

/** The columns to draw. What the table is sorted by is always among them. */
export function arranged(
  columns: Column[],
  layout: Layout,
  sort: SortBy[],
  ruling: Ruling,
): Column[] {
  if (layout === "cards") {
    const title = columns.includes("title") ? (["title"] as const) : [];
    const chance = columns.includes("p_accept") ? (["p_accept"] as const) : [];
    const decision = columns.includes("decision") ? (["decision"] as const) : [];
    return ["place", "paper", ...title, ...chance, ...decision, ruling.statistic];
  }
  const sorted = sort.map(({ id }) => id);
  const all = [...columns, ...sorted.filter((column) => !columns.includes(column))];
  if (layout === "wide") return all;
  const fixed: Column[] = all.filter((column) => column === "place" || column === "paper");
  const beside = [...fixed, ...sorted.slice(0, 1).filter((column) => !fixed.includes(column))];
  return [...beside, ...all.filter((column) => !beside.includes(column))];
}
