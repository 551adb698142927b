// How far a paper changed its place, with an arrow that screen readers hear as a word.
import { placesOf, type Ruling } from "../../domain/places";
import { directionOf, halves } from "../../domain/placeWords";
import { numberAt, type Mode } from "../../domain/run";
import { useRun } from "./context";

const ARROWS = { up: "↑", down: "↓", same: "" };

export function Direction({ of }: { of: keyof typeof ARROWS }) {
  if (of === "same") return null;
  return (
    <span className={of}>
      <span aria-hidden="true">{ARROWS[of]}</span>
      <span className="visually-hidden">{of}</span>
    </span>
  );
}

/** "↑ 23½" */
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
