// What chairs alone have of a run (decisions and the line), what area chairs recommend, and how changes are saved.
import { useMemo } from "react";

import { patch, post, put } from "../../../api/client";
import type {
  PaperMarks,
  Recommendation,
  RunDetail,
  SavedRecommendation,
} from "../../../api/schema";
import { keyOf, useGet } from "../../../app/queries";
import { changedMarks, tagText } from "../../../domain/decisions";
import { counted } from "../../../domain/format";
import { acceptOf, lineBody, type Accept } from "../../../domain/line";
import type { Marking, Recommending } from "../context";
import { lineText } from "../line/lineWords";
import type { SaveChange, SavedChanges } from "./useSaving";

const MARKS = "/api/conferences/{conference}/papers";
const RECOMMENDATIONS = "/api/conferences/{conference}/recommendations";

/** Load all of it for a chair; `info` is undefined for everybody else. */
export function useChairData(
  id: string,
  info: RunDetail | undefined,
  { save, shown }: SavedChanges,
) {
  const conference = info?.conference;
  const marks = useGet(MARKS, conference ? { conference } : null);
  const recommended = useGet(RECOMMENDATIONS, conference ? { conference } : null);
  const actions = useMemo(
    () =>
      conference
        ? {
            saveLine: (accept: Accept | null) => void save(lineChange(id, accept)),
            marking: markingOf(conference, id, save),
          }
        : {},
    [id, conference, save],
  );
  const line = shown(infoKey(id), info)?.line;
  return {
    marks: useMemo(
      () => conference && shown(keyOf(MARKS, { conference }), marks.data)?.papers,
      [shown, conference, marks.data],
    ),
    recommended: recommended.data,
    line: useMemo(() => acceptOf(line ?? null), [line]),
    actions,
    ready: !marks.isPending,
  };
}

const infoKey = (run: string) => keyOf("/api/runs/{run}", { run });

/** Changes of decisions, tags and notes. */
function markingOf(conference: string, run: string, save: SaveChange): Marking {
  const of = { conference };
  const key = keyOf(MARKS, of);
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
        ...{ field: "decision", things: papers, key },
        what: (some) => `${decision ?? "No decision"} for ${listed(some)}`,
        show: changed((marks) => ({ ...marks, decision })),
        send: (held, some) => {
          const body = { papers: [...some], decision, seen: held?.version ?? null };
          return post("/api/conferences/{conference}/papers/decisions", of, body);
        },
      }),
    tag: (papers, add, remove) =>
      save({
        ...{ field: "tag", things: papers, key },
        what: (some) => `${tagText(add, remove)} for ${listed(some)}`,
        show: changed((marks) => {
          const others = marks.tags.filter((tag) => !remove.includes(tag) && !add.includes(tag));
          return { ...marks, tags: [...others, ...add].sort() };
        }),
        send: (_, some) => {
          const body = { papers: [...some], add, remove };
          return post("/api/conferences/{conference}/papers/tags", of, body);
        },
      }),
    takeImported: () =>
      save({
        ...{ field: "other", things: [run], key },
        what: () => "the decisions of the import",
        show: asItIs,
        send: () =>
          post("/api/conferences/{conference}/papers/decisions/from-run/{run}", { ...of, run }),
      }),
    undo: (batch) =>
      save({
        ...{ field: "other", things: [batch], key },
        what: () => "the undoing of a change",
        show: asItIs,
        send: () => post("/api/conferences/{conference}/papers/undo", of, { batch }),
      }),
    writeNote: (paper, note, before, leaving) =>
      save({
        ...{ field: "note", things: [paper], key, atOnce: leaving, text: note },
        what: () => `the note on ${paper}`,
        show: changed((marks) => ({ ...marks, note: note || null })),
        send: () => {
          const body = { paper, note, before };
          return put("/api/conferences/{conference}/papers/note", of, body, { leaving: true });
        },
      }),
  };
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
  const line: RunDetail["line"] = accept && lineBody(accept);
  return {
    field: "line" as const,
    things: ["line"],
    what: () => (accept ? `the line ${lineText(accept)}` : "the removal of the line"),
    key: infoKey(run),
    show: (info: RunDetail) => ({ ...info, line }),
    send: () => patch("/api/runs/{run}", { run }, { line }),
  };
}

/** What an area chair recommends on their papers; for chairs, in a preview, what that area chair does.
 * `name`: of the area chair; null for chairs who see the whole run. */
export function useRecommending(
  conference: string | null | undefined,
  name: string | null | undefined,
  mayChange: boolean,
  { save, shown }: SavedChanges,
): Recommending | undefined {
  const { data } = useGet(RECOMMENDATIONS, conference && name ? { conference } : null);
  return useMemo(() => {
    if (!conference || !data) return undefined;
    const key = keyOf(RECOMMENDATIONS, { conference });
    const isOwn = (paper: string) => (one: SavedRecommendation) =>
      one.paper === paper && one.area_chair === name;
    const own = (shown(key, data) ?? []).filter((one) => one.area_chair === name);
    const byPaper = new Map(own.map((one) => [one.paper, one] as const));
    /** The change of a recommendation or of its note; the other one stays. */
    const change = (paper: string, said: { value: string | null } | NoteChange) => ({
      things: [paper],
      key,
      show: (held: SavedRecommendation[]) => [
        ...held.filter((one) => !isOwn(paper)(one)),
        { area_chair: name ?? "", paper, ...held.find(isOwn(paper)), ...shownOf(said) },
      ],
      send: () => {
        const body = { paper, ...said } as Recommendation; // what is not named stays
        return put(RECOMMENDATIONS, { conference }, body, { leaving: true });
      },
    });
    return {
      of: (paper: string) => byPaper.get(paper),
      ...(mayChange && {
        save: {
          value: (paper, value) =>
            void save({
              ...change(paper, { value }),
              field: "recommendation",
              what: () => `${value ?? "No recommendation"} for ${paper}`,
            }),
          note: (paper, note, before, leaving) =>
            save({
              ...change(paper, { note, before }),
              ...{ field: "note", text: note, atOnce: leaving },
              what: () => `the note on ${paper}`,
            }),
        },
      }),
    } satisfies Recommending;
  }, [conference, data, name, mayChange, save, shown]);
}

interface NoteChange {
  note: string;
  before: string; // the note that it was made from
}

const shownOf = (said: { value: string | null } | NoteChange) =>
  "note" in said ? { note: said.note } : said;
