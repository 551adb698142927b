// The check of the files on the server, and why a run cannot start yet.
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { get, post } from "../../api/client";
import type { Check, NewCheck } from "../../api/schema";
import { useChange } from "../../app/queries";
import { isOver } from "../../domain/glossary";
import { errorMessage } from "../../api/errors";
import { counted } from "../../domain/format";
import { mistakesIn, type ImportForm } from "../../domain/importForm";

export interface CheckState {
  check: Check | null; // the last one that ended; while `busy`, that of the earlier form
  busy: boolean;
  error: Error | null;
  cancel: (() => void) | null; // while a check takes longer than a moment
  again(): void;
}

const DEBOUNCE = 300; // ms without another change before the server is asked
const MAX_WAIT = 2000; // ms between two questions
const SLOW = 500; // ms between two questions when "Cancel" appears

/** Check the files again whenever they or the form change. */
export function useCheck(conference: string, request: NewCheck | null): CheckState {
  const [slow, setSlow] = useState<string | null>(null); // the id of a check that takes long
  const cancelling = useChange((check: string) => post("/api/checks/{check}/cancel", { check }));
  const { data, isFetching, error, refetch } = useQuery({
    queryKey: ["checks", conference, request],
    queryFn: request
      ? ({ signal }) => finishedCheck(conference, request, signal, setSlow)
      : skipToken,
    placeholderData: keepPreviousData,
    staleTime: "static",
    gcTime: 0,
  });
  const again = () => void refetch();
  if (!request) return { check: null, busy: false, error: null, cancel: null, again };
  const cancel = isFetching && slow && !cancelling.isPending ? () => cancelling.mutate(slow) : null;
  return { check: data ?? null, busy: isFetching, error: error ?? cancelling.error, cancel, again };
}

async function finishedCheck(
  conference: string,
  request: NewCheck,
  signal: AbortSignal,
  onSlow: (check: string | null) => void,
): Promise<Check> {
  onSlow(null);
  await pause(DEBOUNCE, signal);
  let check = await post("/api/conferences/{conference}/checks", { conference }, request);
  for (let wait = 150; !isOver(check.status); wait = Math.min(wait * 1.5, MAX_WAIT)) {
    await pause(wait, signal);
    if (wait > SLOW) onSlow(check.id);
    check = await get("/api/checks/{check}", { check: check.id }, { signal });
  }
  return check;
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => window.setTimeout(resolve, milliseconds));
  signal.throwIfAborted();
}

/** Why a run cannot start yet, and why files could not be read. */
export function reasonToWait(
  form: ImportForm,
  request: NewCheck,
  { check, busy, error }: CheckState,
  name: string,
): string | null {
  if (!request.files.length) return "Add files or tick some first.";
  const mistake = Object.values(mistakesIn(form))[0];
  if (mistake) return mistake;
  if (busy) return "The files are being checked.";
  if (error) return errorMessage(error);
  if (!check?.ready) return refusalReason(check);
  if (!name.trim()) return "Give the run a name.";
  return null;
}

/** The kinds of issues that stop a run: no policy settles them. */
export const openKinds = (check: Check | null): Set<string> =>
  new Set(check?.issues.flatMap(({ action, kind }) => (action ? [] : kind)));

function refusalReason(check: Check | null): string {
  const open = openKinds(check);
  const counts = check?.issue_counts.filter(({ kind }) => open.has(kind)) ?? [];
  const issues = counts.reduce((sum, each) => sum + each.count, 0);
  if (!issues) return "The files cannot be used as they are: see “What was found”.";
  const asked = open.has("contradiction") && check?.contradictions.reviewers;
  if (asked) {
    const rank = asked === 1 ? "ranks" : "rank";
    return `${counted(asked, "reviewer")} ${rank} against their own scores. Choose what counts below, or ask them first.`;
  }
  return `${counted(issues, "issue")} to settle before you can run: see “Issues”.`;
}
