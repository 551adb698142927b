// What an area chair recommends on their papers; for chairs, in a preview, what that area chair does.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { api, keepaliveOptions } from "../../../api/client";
import type { Recommendation, RecommendationRequest } from "../../../api/types";
import { recommendationsQuery } from "../../../app/queries";
import type { Recommending } from "../context";
import type { SavedChanges } from "./useSaving";

/** `name`: of the area chair; null for chairs who see the whole run. */
export function useRecommending(
  conference: string | null | undefined,
  name: string | null | undefined,
  mayChange: boolean,
  { save, shown }: SavedChanges,
): Recommending | undefined {
  const { data } = useQuery({
    ...recommendationsQuery(conference ?? ""),
    enabled: Boolean(conference && name),
  });
  return useMemo(() => {
    if (!conference || !data) return undefined;
    const key = recommendationsQuery(conference).queryKey;
    const isOwn = (paper: string) => (one: Recommendation) =>
      one.paper === paper && one.area_chair === name;
    const own = (shown(key, data) ?? []).filter((one) => one.area_chair === name);
    const byPaper = new Map(own.map((one) => [one.paper, one] as const));
    /** The change of a recommendation or of its note; the other one stays. */
    const change = (paper: string, said: { value: string | null } | NoteChange) => ({
      things: [paper],
      key,
      show: (held: Recommendation[]) => [
        ...held.filter((one) => !isOwn(paper)(one)),
        { area_chair: name ?? "", paper, ...held.find(isOwn(paper)), ...shownOf(said) },
      ],
      send: () => {
        const body = { paper, ...said } as RecommendationRequest; // what is not named stays
        return api.PUT("/api/conferences/{conference}/recommendations", {
          params: { path: { conference } },
          body,
          ...keepaliveOptions(body),
        });
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
              field: "note",
              text: note,
              atOnce: leaving,
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
