// What only chairs have of a run (decisions, the line, saved views), and how changes are saved.
import { useQueryClient, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { api, bodyOf, keepaliveOptions } from "../../../api/client";
import type { PaperMarks, RunInfo } from "../../../api/types";
import { marksQuery, recommendationsQuery, runInfoQuery, viewsQuery } from "../../../app/queries";
import { changedMarks, tagText } from "../../../domain/decisions";
import { counted } from "../../../domain/format";
import { acceptOf, lineBody, type Accept } from "../../../domain/line";
import type { Marking, RunActions, Views } from "../context";
import { lineText } from "../line/useLine";
import type { SaveChange, SavedChanges } from "./useSaving";

/** Load all of it for a chair; `info` is undefined for everybody else. */
export function useChairData(id: string, info: RunInfo | undefined, { save, shown }: SavedChanges) {
  const conference = info?.conference;
  const marks = useQuery({ ...marksQuery(conference ?? ""), enabled: Boolean(conference) });
  const recommended = useQuery({
    ...recommendationsQuery(conference ?? ""),
    enabled: Boolean(conference),
  });
  const marking = useMarking(conference, id, save);
  const views = useViews(conference);
  const actions = useMemo(
    (): RunActions => ({
      saveLine: (accept) => void save(lineChange(id, accept)),
      ...(marking && { marking }),
      ...(views && { views }),
    }),
    [id, save, marking, views],
  );
  const line = shown(runInfoQuery(id).queryKey, info)?.line;
  return {
    marks: useMemo(
      () => shown(marksQuery(conference ?? "").queryKey, marks.data)?.papers,
      [shown, conference, marks.data],
    ),
    recommended: recommended.data,
    line: useMemo(() => acceptOf(line ?? null), [line]),
    actions,
    ready: !marks.isPending,
  };
}

/** Changes of decisions, tags and notes. */
function useMarking(
  conference: string | undefined,
  run: string,
  save: SaveChange,
): Marking | undefined {
  return useMemo(() => {
    if (!conference) return undefined;
    const key = marksQuery(conference).queryKey;
    const params = { path: { conference } };
    type Held = { version: number; papers: PaperMarks[] };
    const changed =
      (change: (marks: PaperMarks) => PaperMarks) =>
      (held: Held, papers: readonly string[]): Held => ({
        ...held,
        papers: changedMarks(held.papers, papers, change),
      });
    const asItIs = (held: Held) => held;
    return {
      decide: (papers, decision) =>
        save({
          field: "decision",
          things: papers,
          what: (of) => `${decision ?? "No decision"} for ${listed(of)}`,
          key,
          show: changed((marks) => ({ ...marks, decision })),
          send: (held, of) => {
            const body = { papers: [...of], decision, seen: held?.version ?? null };
            return bodyOf(
              api.POST("/api/conferences/{conference}/papers/decisions", { params, body }),
            );
          },
        }),
      tag: (papers, add, remove) =>
        save({
          field: "tag",
          things: papers,
          what: (of) => `${tagText(add, remove)} for ${listed(of)}`,
          key,
          show: changed((marks) => {
            const others = marks.tags.filter((tag) => !remove.includes(tag) && !add.includes(tag));
            return { ...marks, tags: [...others, ...add].sort() };
          }),
          send: (_, of) => {
            const body = { papers: [...of], add, remove };
            return bodyOf(api.POST("/api/conferences/{conference}/papers/tags", { params, body }));
          },
        }),
      takeImported: () =>
        save({
          field: "other",
          things: [run],
          what: () => "the decisions of the import",
          key,
          show: asItIs,
          send: () =>
            bodyOf(
              api.POST("/api/conferences/{conference}/papers/decisions/from-run/{run}", {
                params: { path: { conference, run } },
              }),
            ),
        }),
      undo: (batch) =>
        save({
          field: "other",
          things: [batch],
          what: () => "the undoing of a change",
          key,
          show: asItIs,
          send: () =>
            bodyOf(
              api.POST("/api/conferences/{conference}/papers/undo", { params, body: { batch } }),
            ),
        }),
      writeNote: (paper, note, before, leaving) =>
        save({
          field: "note",
          things: [paper],
          atOnce: leaving,
          text: note,
          what: () => `the note on ${paper}`,
          key,
          show: changed((marks) => ({ ...marks, note: note || null })),
          send: () => {
            const body = { paper, note, before };
            return bodyOf(
              api.PUT("/api/conferences/{conference}/papers/note", {
                params,
                body,
                ...keepaliveOptions(body),
              }),
            );
          },
        }),
      history: (paper) =>
        bodyOf(
          api.GET("/api/conferences/{conference}/papers/history", {
            params: { ...params, query: { paper } },
          }),
        ),
    };
  }, [conference, run, save]);
}

const NAMED = 3; // papers

/** "7, 12, 31 and 5 more papers" */
function listed(papers: readonly string[]): string {
  const more = papers.length - NAMED;
  return (
    papers.slice(0, NAMED).join(", ") + (more > 0 ? ` and ${counted(more, "more paper")}` : "")
  );
}

/** The change of the line, which belongs to the conference. */
function lineChange(run: string, accept: Accept | null) {
  const line: RunInfo["line"] = accept && lineBody(accept);
  return {
    field: "line" as const,
    things: ["line"],
    what: () => (accept ? `the line ${lineText(accept)}` : "the removal of the line"),
    key: runInfoQuery(run).queryKey,
    show: (info: RunInfo) => ({ ...info, line }),
    send: () => api.PATCH("/api/runs/{run}", { params: { path: { run } }, body: { line } }),
  };
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
