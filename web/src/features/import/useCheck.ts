// A check of the files on the server, made anew whenever the files or the choices change.
import { useEffect, useState } from "react";

import { get, post, wordsOf, type Schemas } from "../../api/client";
import { pause } from "../../app/pause";
import type { NewCheck } from "../../domain/importForm";

export type Check = Schemas["Check"];

export interface Checked {
  check: Check | null; // the last one that ended; while `busy`, of earlier choices
  busy: boolean;
  problem: string | null;
}

const SETTLE = 300; // ms without another change, before the server is asked
const LONGEST = 2000;

export const hasEnded = (status: Check["status"]): boolean =>
  status !== "queued" && status !== "running";

async function checked(
  conference: string,
  wanted: string,
  signal: AbortSignal,
): Promise<Check | null> {
  await pause(SETTLE, signal);
  if (signal.aborted) return null;
  let check = await post<Check>(`conferences/${conference}/checks`, JSON.parse(wanted));
  for (let wait = 150; !hasEnded(check.status); wait = Math.min(wait * 1.5, LONGEST)) {
    await pause(wait, signal);
    if (signal.aborted) return null;
    check = await get<Check>(`checks/${check.id}`, signal);
  }
  return check;
}

export function useCheck(conference: string, request: NewCheck | null): Checked {
  const wanted = request ? JSON.stringify(request) : null;
  const [state, setState] = useState<{
    of: string | null;
    check: Check | null;
    problem: string | null;
  }>({ of: null, check: null, problem: null });
  useEffect(() => {
    if (wanted === null) return;
    const control = new AbortController();
    checked(conference, wanted, control.signal).then(
      (check) => {
        if (check && !control.signal.aborted) setState({ of: wanted, check, problem: null });
      },
      (error: unknown) => {
        if (!control.signal.aborted) setState({ of: wanted, check: null, problem: wordsOf(error) });
      },
    );
    return () => control.abort();
  }, [conference, wanted]);
  if (wanted === null) return { check: null, busy: false, problem: null };
  const busy = state.of !== wanted;
  return { check: state.check, busy, problem: busy ? null : state.problem };
}
