// How far something moved, with its sign; colour only repeats what the sign says.
import { LEAST_MOVE, signed } from "../../domain/format";

export function Move({ by }: { by: number }) {
  const tone = Math.abs(by) < LEAST_MOVE ? "soft" : by > 0 ? "up" : "down";
  return <span className={tone}>{signed(by)}</span>;
}
