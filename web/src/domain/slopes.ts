// The papers around the line, with their places before and now, for a chart.
import { lineOf, type Accept } from "./line";
import { orderOf, placesOf, rangeAt, type Range, type Ruling } from "./places";
import { numberAt, type Mode, type Run } from "./run";

export interface Slope {
  paper: number;
  before: Range;
  now: Range;
  position: number; // in the order of the table, from 1: tied papers have one each
  part: Coloured | null; // what the line says about it, of those worth a colour
}

/** So many papers on each side of the line are drawn, and all that ties or crossings involve. */
const EACH_SIDE = 12;
const MOST = 60;
const COLOURED = ["undecided", "in", "out", "settled"] as const;
export type Coloured = (typeof COLOURED)[number];

/** Papers near the line, the best first: those next to it now, and those that it concerns. */
export function slopesOf(run: Run, mode: Mode, ruling: Ruling, accept: Accept): Slope[] {
  const line = lineOf(run, mode, ruling, { ...accept, perTrack: false });
  const places = placesOf(run, mode, ruling);
  const order = [...orderOf(run, mode, ruling)].filter((paper) => places.now.first[paper]);
  const at = line.places;
  const away = (place: number) => (place < at ? at - place : place - at + 1);
  const concerned = (paper: number) =>
    line.parts.tied[paper] || COLOURED.some((part) => line.parts[part][paper]);
  const near = order
    .map((paper, place) => ({ paper, position: place + 1, away: away(place) }))
    .filter(({ paper, away: distance }) => distance <= EACH_SIDE || concerned(paper))
    .sort((a, b) => a.away - b.away)
    .slice(0, MOST)
    .sort((a, b) => a.position - b.position);
  return near.flatMap(({ paper, position }) => {
    const [before, now] = [rangeAt(places.before, paper), rangeAt(places.now, paper)];
    const part = COLOURED.find((name) => line.parts[name][paper]) ?? null;
    return before && now ? [{ paper, before, now, position, part }] : [];
  });
}

/** The papers whose place changed most, up or down. */
export function largestChanges(run: Run, mode: Mode, ruling: Ruling, most: number): number[] {
  const { change } = placesOf(run, mode, ruling);
  const size = (paper: number) => Math.abs(numberAt(change, paper)) || 0;
  return Array.from(change.keys())
    .filter((paper) => size(paper) > 0)
    .sort((a, b) => size(b) - size(a) || a - b)
    .slice(0, most);
}
