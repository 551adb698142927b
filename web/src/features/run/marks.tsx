// Marks beside a score or a place: how far it moved, and that a rank contradicts it.
import { signed } from "../../domain/format";
import { placesOf, type Ruling } from "../../domain/places";
import { directionOf, halves } from "../../domain/placeSentences";
import { numberAt, type Mode } from "../../domain/run";
import { useRun } from "./context";

/** A move with its sign. The colour repeats the sign and adds nothing. */
export function Move({ by, digits = 3 }: { by: number; digits?: number }) {
  const text = signed(by, digits);
  const still = !/[1-9]/.test(text);
  const tone = still ? "soft" : by > 0 ? "up" : "down";
  return <span className={tone}>{still && !Number.isNaN(by) ? "0" : text}</span>;
}

export function ContradictionBadge() {
  return <span className="badge warn">Rank contradicts score</span>;
}

const ARROWS = { up: "↑", down: "↓", same: "" };

/** An arrow that screen readers hear as a word. */
export function Direction({ of }: { of: keyof typeof ARROWS }) {
  if (of === "same") return null;
  return (
    <span className={of}>
      <span aria-hidden="true">{ARROWS[of]}</span>
      <span className="visually-hidden">{of}</span>
    </span>
  );
}

/** How far a paper changed its place: "↑ 23½". */
export function PlaceChange({
  paper,
  mode,
  ruling,
}: {
  paper: number;
  mode: Mode;
  ruling: Ruling;
}) {
  const change = numberAt(placesOf(useRun().run, mode, ruling).change, paper);
  if (Number.isNaN(change)) return <span className="soft">–</span>;
  const direction = directionOf(change);
  return (
    <span className={direction === "same" ? "soft" : direction}>
      <Direction of={direction} /> {halves(change)}
    </span>
  );
}
