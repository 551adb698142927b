// The chairs' marks on the server: shown at once, and as the server has them after every answer.
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";

import { api, bodyOf, outlivingPage } from "../../api/client";
import type { PaperMarks } from "../../api/types";
import { marksQuery } from "../../app/queries";
import { changedMarks } from "../../domain/decisions";
import type { Marking } from "../run/context";

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
