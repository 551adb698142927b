// Marks beside a score: how far it moved, and that a rank contradicts it.
import { signed } from "../../domain/format";

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
