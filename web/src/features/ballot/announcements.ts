// What a screen reader says while a paper is moved.
import { capitalized } from "../../domain/format";
import { placeOf, sectionOf, type Order } from "./ballotOrder";

export type NameOf = (paper: string) => string;

export const KEYS =
  "Space or Enter grabs a paper and drops it. While it is grabbed, the arrows move it, Home and End move it to the ends, T makes it the same as the one above, and Escape puts it back.";

export function grabbedWords(order: Order, paper: string, name: NameOf): string {
  return `Grabbed ${name(paper)}, ${whereIs(order, paper, name)}. Arrows move it, Space drops it, Escape puts it back.`;
}

export function movedWords(order: Order, paper: string, name: NameOf): string {
  return `${capitalized(whereIs(order, paper, name))}.`;
}

export function droppedWords(
  order: Order,
  paper: string,
  name: NameOf,
  contradicts: boolean,
): string {
  const question = contradicts ? " This contradicts your scores: a question follows it." : "";
  return `Dropped ${name(paper)}, ${whereIs(order, paper, name)}.${question}`;
}

export function cancelledWords(order: Order, paper: string, name: NameOf): string {
  return `Put back ${name(paper)}, ${whereIs(order, paper, name)}.`;
}

/** "place 2 of 5, below Paper 7", "place 2 of 5, the same as Paper 7", "not placed". */
function whereIs(order: Order, paper: string, name: NameOf): string {
  const place = placeOf(order, paper);
  if (!place) return sectionOf(order, paper) === "cannot_say" ? "cannot say" : "not placed";
  return `place ${place.number} of ${place.of}${besides(order, paper, name)}`;
}

function besides(order: Order, paper: string, name: NameOf): string {
  const at = order.groups.findIndex((group) => group.includes(paper));
  const equals = (order.groups[at] ?? []).filter((each) => each !== paper);
  if (equals.length) return `, the same as ${equals.map(name).join(" and ")}`;
  const above = order.groups[at - 1]?.at(-1);
  if (above !== undefined) return `, below ${name(above)}`;
  const below = order.groups[at + 1]?.[0];
  return below === undefined ? "" : `, above ${name(below)}`;
}
