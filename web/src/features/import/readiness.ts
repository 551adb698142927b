// Why a run cannot start yet, in one sentence; null when it can.
import { mistakesIn, type NewCheck, type Settings } from "../../domain/importForm";
import type { Checked } from "./useCheck";

export function reasonToWait(
  settings: Settings,
  request: NewCheck,
  { check, busy, problem }: Checked,
  name: string,
): string | null {
  if (!request.files.length) return "Add files, or tick some, first.";
  const mistake = Object.values(mistakesIn(settings))[0];
  if (mistake) return mistake;
  if (busy) return "The files are being checked.";
  if (problem) return problem;
  if (!check?.ready) return whyRefused(check);
  if (!name.trim()) return "Give the run a name.";
  return null;
}

function whyRefused(check: Checked["check"]): string {
  const count = check?.issue_counts.reduce((sum, each) => sum + each.count, 0) ?? 0;
  if (!count) return "The files cannot be used as they are: see what was found.";
  const problems = count === 1 ? "1 problem" : `${count.toLocaleString("en")} problems`;
  return `The input would be refused: ${problems}. Choose what rules, or correct the files.`;
}
