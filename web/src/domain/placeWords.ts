// Places in words: "497", "496–545 tied", "497th of 2,000; by given scores tied with 49 others".
import { count } from "./format";
import { isTied, placesOf, rangeAt, type Places, type Range, type Ruling } from "./places";
import { whyPlaced } from "./placeReasons";
import { numberAt, type Mode, type Run } from "./run";

/** "497" or, tied, "496–545"; like numbers of papers without a comma. */
export const rangeText = ({ first, last }: Range): string =>
  first === last ? `${first}` : `${first}–${last}`;

/** "497" or "496–545 tied". */
export const tiedText = (range: Range): string =>
  isTied(range) ? `${rangeText(range)} tied` : rangeText(range);

/** Places without a sign, in halves: "23½", "½", "4". */
export function halves(change: number): string {
  const size = Math.abs(change);
  const whole = Math.floor(size);
  const half = size > whole ? "½" : "";
  return whole || !half ? count(whole) + half : half;
}

/** "up", "down" or "same". */
export function directionOf(change: number): "up" | "down" | "same" {
  return change > 0 ? "up" : change < 0 ? "down" : "same";
}

export function ordinal(place: number): string {
  const ending = ["th", "st", "nd", "rd"][place % 10];
  const teen = Math.floor(place / 10) % 10 === 1;
  return `${count(place)}${teen ? "th" : (ending ?? "th")}`;
}

const others = (size: number): string => `${count(size)} ${size === 1 ? "other" : "others"}`;
const sizeOf = ({ first, last }: Range): number => last - first + 1;

/** "3rd of your 12 papers by mean; by given scores tied with 2 others for 2–4, now …"; null without scores. */
export function placeSentence(run: Run, paper: number, mode: Mode, ruling: Ruling): string | null {
  const places = placesOf(run, mode, ruling);
  const [before, now] = [rangeAt(places.before, paper), rangeAt(places.now, paper)];
  if (!before || !now) return null;
  const parts = [`${nowText(now)} of ${allText(run, places)} by ${rulingText(ruling)}`];
  if (isTied(before)) {
    parts.push(`by given scores tied with ${others(sizeOf(before) - 1)} for ${rangeText(before)}`);
    parts.push(amongTied(run, places, paper));
  } else parts.push(before.first === now.first ? "as by given scores" : `${gone(before)}`);
  const why = whyPlaced(run, paper, { places, ruling });
  return `${parts.join("; ")}${why ? `, because ${why}` : ""}.`;
}

const gone = ({ first }: Range): string => `${ordinal(first)} by given scores`;

/** "mean", "median, lowest first" */
const rulingText = ({ statistic, desc }: Ruling): string =>
  desc ? statistic : `${statistic}, lowest first`;

function nowText(now: Range): string {
  if (!isTied(now)) return ordinal(now.first);
  return `Tied with ${others(sizeOf(now) - 1)} for ${rangeText(now)}`;
}

function allText(run: Run, { now }: Places): string {
  const all = now.first.reduce((size, first) => size + (first ? 1 : 0), 0);
  return run.view.viewer.role === "chair" ? count(all) : `your ${count(all)} papers`;
}

/** Where the paper stands among those that it was tied with: "now above 48 of them and below 1". */
function amongTied(run: Run, places: Places, paper: number): string {
  const [ours, group] = [numberAt(places.now.first, paper), numberAt(places.before.first, paper)];
  const counts = { above: 0, below: 0, "still tied with": 0 };
  for (let other = 0; other < run.papers; other++) {
    if (other === paper || places.before.first[other] !== group) continue;
    const theirs = numberAt(places.now.first, other);
    counts[theirs > ours ? "above" : theirs < ours ? "below" : "still tied with"] += 1;
  }
  const texts = Object.entries(counts).filter(([, size]) => size);
  const [first, ...rest] = texts.map(([side, size]) => `${side} ${count(size)}`);
  const whole = texts.length === 1 ? `${texts[0]?.[0]} ${them(texts[0]?.[1] ?? 0)}` : null;
  return `now ${whole ?? [`${first} of them`, ...rest].join(rest.length > 1 ? ", " : " and ")}`;
}

const them = (size: number): string => (size === 1 ? "it" : "them all");
