// Why a run cannot start yet, and why files could not be read.
import { wordsOf } from "../../api/errors";
import type { Check, CheckRequest } from "../../api/types";
import { counted } from "../../domain/format";
import { mistakesIn, type ImportForm } from "../../domain/importForm";
import type { CheckState } from "./useCheck";

export function reasonToWait(
  form: ImportForm,
  request: CheckRequest,
  { check, busy, error }: CheckState,
  name: string,
): string | null {
  if (!request.files.length) return "Add files, or tick some, first.";
  const mistake = Object.values(mistakesIn(form))[0];
  if (mistake) return mistake;
  if (busy) return "The files are being checked.";
  if (error) return wordsOf(error);
  if (!check?.ready) return refusalReason(check);
  if (!name.trim()) return "Give the run a name.";
  return null;
}

function refusalReason(check: Check | null): string {
  const issues = check?.issue_counts.reduce((sum, each) => sum + each.count, 0) ?? 0;
  if (!issues) return "The files cannot be used as they are: see what was found.";
  return `The input would be refused: ${counted(issues, "issue")}. Choose what rules, or correct the files.`;
}

export interface Reason {
  text: string;
  formats: string | null; // the long list of formats that would be understood
}

/** Why files could not be read: the reason, and apart from it the long list of formats. */
export function reasonInPage(reason: string): Reason {
  const [first = "", rest] = reason.split(/\s*Supported formats: /, 2);
  if (rest === undefined) return { text: first, formats: null };
  const list = rest.replace(/\.?\s*For a table of your own.*$/s, ".");
  return {
    text: `${first} If it is a table of your own, say which column is which under “How to read the files”.`,
    formats: `Supported formats: ${list}`,
  };
}
