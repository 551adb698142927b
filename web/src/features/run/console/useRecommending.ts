// What an area chair recommends on their papers; for chairs, in a preview, what that area chair does.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";

import { api, keepaliveOptions } from "../../../api/client";
import { recommendationsQuery } from "../../../app/queries";
import type { Recommending } from "../context";

/** `name`: of the area chair; null for chairs who see the whole run. */
export function useRecommending(
  conference: string | null | undefined,
  name: string | null | undefined,
  mayChange: boolean,
): Recommending | undefined {
  const client = useQueryClient();
  const { data } = useQuery({
    ...recommendationsQuery(conference ?? ""),
    enabled: Boolean(conference && name),
  });
  return useMemo(() => {
    if (!conference || !data) return undefined;
    const own = new Map(
      data.filter((one) => one.area_chair === name).map((one) => [one.paper, one] as const),
    );
    const key = recommendationsQuery(conference).queryKey;
    /** Shown at once; as the server has it where saving fails. */
    const save = async (paper: string, value: string | null, note: string) => {
      const body = { paper, value, note };
      client.setQueryData(key, (old) => [
        ...(old ?? []).filter((one) => one.paper !== paper || one.area_chair !== name),
        { ...body, area_chair: name ?? "" },
      ]);
      await api
        .PUT("/api/conferences/{conference}/recommendations", {
          params: { path: { conference } },
          body,
          ...keepaliveOptions(body),
        })
        .catch(async (failure: Error) => {
          await client.invalidateQueries({ queryKey: key });
          throw failure;
        });
    };
    return {
      of: (paper: string) => own.get(paper),
      ...(mayChange && { save }),
    };
  }, [client, conference, data, name, mayChange]);
}
