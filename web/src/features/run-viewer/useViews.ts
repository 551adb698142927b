// The saved views of a conference.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";

import { api } from "../../api/client";
import { viewsQuery } from "../../app/queries";
import type { Views } from "../run/context";

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
