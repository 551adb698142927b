// The check of the files on the server, repeated whenever the files or the form change.
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";

import { api, bodyOf } from "../../api/client";
import type { Check, CheckRequest } from "../../api/types";
import { isOver } from "../../domain/glossary";

export interface CheckState {
  check: Check | null; // the last one that ended; while `busy`, that of the earlier form
  busy: boolean;
  error: Error | null;
}

const SETTLE = 300; // ms without another change before the server is asked
const LONGEST = 2000; // ms between two questions

export function useCheck(conference: string, request: CheckRequest | null): CheckState {
  const { data, isFetching, error } = useQuery({
    queryKey: ["checks", conference, request],
    queryFn: request ? ({ signal }) => finishedCheck(conference, request, signal) : skipToken,
    placeholderData: keepPreviousData,
    staleTime: "static",
    gcTime: 0,
  });
  if (!request) return { check: null, busy: false, error: null };
  return { check: data ?? null, busy: isFetching, error };
}

async function finishedCheck(
  conference: string,
  request: CheckRequest,
  signal: AbortSignal,
): Promise<Check> {
  await pause(SETTLE, signal);
  let check = await bodyOf(
    api.POST("/api/conferences/{conference}/checks", {
      params: { path: { conference } },
      body: request,
    }),
  );
  for (let wait = 150; !isOver(check.status); wait = Math.min(wait * 1.5, LONGEST)) {
    await pause(wait, signal);
    const params = { path: { check: check.id } };
    check = await bodyOf(api.GET("/api/checks/{check}", { params, signal }));
  }
  return check;
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => window.setTimeout(resolve, milliseconds));
  signal.throwIfAborted();
}
