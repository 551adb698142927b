// What only chairs have of a run (decisions, the line, saved views), and how changes are saved.
import { useQueryClient, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { api, bodyOf, keepaliveOptions } from "../../../api/client";
import type { PaperMarks, RunInfo } from "../../../api/types";
import { marksQuery, recommendationsQuery, runInfoQuery, viewsQuery } from "../../../app/queries";
import { changedMarks } from "../../../domain/decisions";
import type { Marking, RunActions, Views } from "../context";
import { acceptOf, lineBody, type Accept } from "../../../domain/line";

/** Load all of it for a chair; `info` is undefined for everybody else. */
export function useChairData(id: string, info: RunInfo | undefined) {
  const conference = info?.conference;
  const marks = useQuery({ ...marksQuery(conference ?? ""), enabled: Boolean(conference) });
  const recommended = useQuery({
    ...recommendationsQuery(conference ?? ""),
    enabled: Boolean(conference),
  });
  const marking = useMarking(conference, id);
  const views = useViews(conference);
  const saveLine = useSaveLine(id);
  const actions = useMemo(
    (): RunActions => ({
      saveLine,
      ...(marking && { marking }),
      ...(views && { views }),
    }),
    [saveLine, marking, views],
  );
  const line = info?.line;
  return {
    marks: marks.data?.papers,
    recommended: recommended.data,
    line: useMemo(() => acceptOf(line ?? null), [line]),
    actions,
    ready: !marks.isPending,
  };
}

/** Changes of decisions, tags and notes: shown at once, then as the server has them. */
function useMarking(conference: string | undefined, run: string): Marking | undefined {
  const client = useQueryClient();
  return useMemo(() => {
    if (!conference) return undefined;
    const key = marksQuery(conference).queryKey;
    const params = { path: { conference } };
    /** Show a change before the server has made it. */
    const showChange = async (papers: string[], change: (marks: PaperMarks) => PaperMarks) => {
      await client.cancelQueries({ queryKey: key });
      client.setQueryData(
        key,
        (old) => old && { ...old, papers: changedMarks(old.papers, papers, change) },
      );
    };
    const refetch = () => client.invalidateQueries({ queryKey: key });
    // What this chair changed a moment ago is not another chair's change: each waits for the one before.
    let latest: Promise<unknown> = Promise.resolve();
    const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
      const outcome = latest.then(change);
      latest = outcome.then(refetch, refetch);
      return outcome;
    };
    return {
      decide: (papers, decision) =>
        inTurn(async () => {
          const seen = client.getQueryData(key)?.version ?? null;
          await showChange(papers, (marks) => ({ ...marks, decision }));
          const body = { papers, decision, seen };
          return bodyOf(
            api.POST("/api/conferences/{conference}/papers/decisions", { params, body }),
          );
        }),
      tag: (papers, add, remove) =>
        inTurn(async () => {
          await showChange(papers, (marks) => {
            const others = marks.tags.filter((tag) => !remove.includes(tag) && !add.includes(tag));
            return { ...marks, tags: [...others, ...add].sort() };
          });
          const body = { papers, add, remove };
          return bodyOf(api.POST("/api/conferences/{conference}/papers/tags", { params, body }));
        }),
      takeImported: () =>
        inTurn(() =>
          bodyOf(
            api.POST("/api/conferences/{conference}/papers/decisions/from-run/{run}", {
              params: { path: { conference, run } },
            }),
          ),
        ),
      undo: (batch) =>
        inTurn(() =>
          bodyOf(
            api.POST("/api/conferences/{conference}/papers/undo", { params, body: { batch } }),
          ),
        ),
      async writeNote(paper, note, before) {
        const body = { paper, note, before };
        await api.PUT("/api/conferences/{conference}/papers/note", {
          params,
          body,
          ...keepaliveOptions(body),
        });
        await showChange([paper], (marks) => ({ ...marks, note: note || null }));
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

type SavedLine = RunInfo["line"];

/** Return a function that saves the line, which belongs to the conference. */
function useSaveLine(run: string): (accept: Accept | null) => void {
  const client = useQueryClient();
  return useMemo(() => {
    const key = runInfoQuery(run).queryKey;
    return (accept) => {
      const line: SavedLine = accept && lineBody(accept);
      client.setQueryData(key, (old) => old && { ...old, line });
      api
        .PATCH("/api/runs/{run}", { params: { path: { run } }, body: { line } })
        .catch(() => client.invalidateQueries({ queryKey: key }));
    };
  }, [client, run]);
}

/** The saved views of a conference. */
function useViews(conference: string | undefined): Views | undefined {
  const client = useQueryClient();
  const { data } = useQuery({ ...viewsQuery(conference ?? ""), enabled: Boolean(conference) });
  return useMemo(() => {
    if (!data || !conference) return undefined;
    const path = { conference };
    const refetch = () => client.invalidateQueries({ queryKey: viewsQuery(conference).queryKey });
    return {
      saved: data,
      async save(name, query) {
        const body = { name, query };
        await api.POST("/api/conferences/{conference}/views", { params: { path }, body });
        await refetch();
      },
      async remove(view) {
        await api.DELETE("/api/conferences/{conference}/views/{view}", {
          params: { path: { ...path, view } },
        });
        await refetch();
      },
    };
  }, [client, conference, data]);
}
