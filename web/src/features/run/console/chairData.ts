// What chairs keep with a run (decisions, the line, saved views), and how changes are saved.
import { useQueryClient, useQuery } from "@tanstack/react-query";
import { useMemo, useCallback, useRef } from "react";

import { api, bodyOf, outlivingPage } from "../../../api/client";
import type { PaperMarks, RunInfo } from "../../../api/types";
import { marksQuery, runInfoQuery, viewsQuery } from "../../../app/queries";
import { changedMarks } from "../../../domain/decisions";
import type { Marking, Views } from "../context";
import { useLeaving } from "../../../components/browser";
import { keptLine, type Accept } from "../../../domain/line";

/** Changes of decisions, tags and notes: shown at once, then as the server has them. */
export function useMarking(conference: string | undefined, run: string): Marking | undefined {
  const client = useQueryClient();
  return useMemo(() => {
    if (!conference) return undefined;
    const key = marksQuery(conference).queryKey;
    const params = { path: { conference } };
    /** Show a change before the server has made it. */
    const foresee = async (papers: string[], change: (marks: PaperMarks) => PaperMarks) => {
      await client.cancelQueries({ queryKey: key });
      client.setQueryData(
        key,
        (old) => old && { ...old, papers: changedMarks(old.papers, papers, change) },
      );
    };
    const renew = () => client.invalidateQueries({ queryKey: key });
    return {
      async decide(papers, decision) {
        const seen = client.getQueryData(key)?.version ?? null;
        await foresee(papers, (marks) => ({ ...marks, decision }));
        const body = { papers, decision, seen };
        return bodyOf(
          api.POST("/api/conferences/{conference}/papers/decisions", { params, body }),
        ).finally(renew);
      },
      async tag(papers, add, remove) {
        await foresee(papers, (marks) => {
          const kept = marks.tags.filter((tag) => !remove.includes(tag) && !add.includes(tag));
          return { ...marks, tags: [...kept, ...add].sort() };
        });
        const body = { papers, add, remove };
        return bodyOf(
          api.POST("/api/conferences/{conference}/papers/tags", { params, body }),
        ).finally(renew);
      },
      takeImported: () =>
        bodyOf(
          api.POST("/api/conferences/{conference}/papers/decisions/from-run/{run}", {
            params: { path: { conference, run } },
          }),
        ).finally(renew),
      undo: (batch) =>
        bodyOf(
          api.POST("/api/conferences/{conference}/papers/undo", { params, body: { batch } }),
        ).finally(renew),
      async writeNote(paper, note, before) {
        const body = { paper, note, before };
        await api.PUT("/api/conferences/{conference}/papers/note", {
          params,
          body,
          ...outlivingPage(body),
        });
        await foresee([paper], (marks) => ({ ...marks, note: note || null }));
      },
      history: (paper) =>
        bodyOf(
          api.GET("/api/conferences/{conference}/papers/history", {
            params: { ...params, query: { paper } },
          }),
        ),
    };
  }, [client, conference, run]);
}

const PAUSE = 700; // ms

type KeptLine = RunInfo["line"];

export const acceptOf = (line: KeptLine): Accept | null =>
  line && { amount: line.amount, percent: line.percent, perTrack: line.per_track };

/** Return a function that saves the line: once the chair has stopped moving it, or leaves the page. */
export function useKeptLine(run: string): (accept: Accept | null) => void {
  const client = useQueryClient();
  const waiting = useRef<{ timer: number; send(): void } | null>(null);
  useLeaving(useCallback(() => waiting.current?.send(), []));
  return useMemo(() => {
    const key = runInfoQuery(run).queryKey;
    return (accept) => {
      const line: KeptLine = accept && keptLine(accept);
      client.setQueryData(key, (old) => old && { ...old, line });
      if (waiting.current) window.clearTimeout(waiting.current.timer);
      const send = () => {
        if (waiting.current) window.clearTimeout(waiting.current.timer);
        waiting.current = null;
        const body = { line };
        api
          .PATCH("/api/runs/{run}", { params: { path: { run } }, body, ...outlivingPage(body) })
          .catch(() => client.invalidateQueries({ queryKey: key }));
      };
      waiting.current = { timer: window.setTimeout(send, PAUSE), send };
    };
  }, [client, run]);
}

/** The saved views of a conference. */
export function useViews(conference: string | undefined): Views | undefined {
  const client = useQueryClient();
  const { data } = useQuery({ ...viewsQuery(conference ?? ""), enabled: Boolean(conference) });
  return useMemo(() => {
    if (!data || !conference) return undefined;
    const path = { conference };
    const renew = () => client.invalidateQueries({ queryKey: viewsQuery(conference).queryKey });
    return {
      saved: data,
      async save(name, query) {
        const body = { name, query };
        await api.POST("/api/conferences/{conference}/views", { params: { path }, body });
        await renew();
      },
      async remove(view) {
        await api.DELETE("/api/conferences/{conference}/views/{view}", {
          params: { path: { ...path, view } },
        });
        await renew();
      },
    };
  }, [client, conference, data]);
}
