// Marks beside a score: how far it moved, and that a rank contradicts it.
import { LEAST_MOVE, signed } from "../../domain/format";

/** A move with its sign. The colour repeats the sign and adds nothing. */
export function Move({ by }: { by: number }) {
  const tone = Math.abs(by) < LEAST_MOVE ? "soft" : by > 0 ? "up" : "down";
  return <span className={tone}>{signed(by)}</span>;
}

export function ContradictionBadge() {
  return <span className="badge warn">Rank contradicts score</span>;
}
