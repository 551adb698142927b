// The queries that pages share, and changes after which they are fetched again.
import {
  QueryClient,
  QueryClientProvider,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { api, bodyOf } from "../api/client";
import { openRun } from "../domain/run";

export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(newClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

function newClient(): QueryClient {
  // The server may run on this computer: without a network it can still be reached.
  const networkMode = "always";
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode, retry: false, refetchOnWindowFocus: false, staleTime: 1000 }, // ms
      mutations: { networkMode },
    },
  });
}

/** A query that gets something; it ends with the component that asks. */
function got<Body>(
  queryKey: readonly unknown[],
  ask: (signal: AbortSignal) => Promise<{ data?: Body }>,
) {
  return queryOptions({ queryKey, queryFn: ({ signal }) => bodyOf(ask(signal)) });
}

const inConference = (conference: string) => ({ params: { path: { conference } } });
const ofRun = (run: string) => ({ params: { path: { run } } });

export const meQuery = {
  ...got(["me"], (signal) => api.GET("/api/me", { signal })),
  staleTime: "static",
} as const;

export const conferencesQuery = got(["conferences"], (signal) =>
  api.GET("/api/conferences", { signal }),
);

/** Deleted conferences that can be restored. For the server's owner. */
export const binQuery = got(["bin"], (signal) => api.GET("/api/bin", { signal }));

export const conferenceQuery = (id: string) =>
  got(["conferences", id], (signal) =>
    api.GET("/api/conferences/{conference}", { ...inConference(id), signal }),
  );

export const accessQuery = (id: string) =>
  got(["conferences", id, "access"], (signal) =>
    api.GET("/api/conferences/{conference}/access", { ...inConference(id), signal }),
  );

export const serverQuery = got(["server", "access"], (signal) =>
  api.GET("/api/server/access", { signal }),
);

export const serverLogQuery = got(["server", "log"], (signal) =>
  api.GET("/api/server/log", { signal }),
);

export const logQuery = (id: string) =>
  got(["conferences", id, "log"], (signal) =>
    api.GET("/api/conferences/{conference}/log", { ...inConference(id), signal }),
  );

/** The decisions, tags and notes of a conference. */
export const marksQuery = (id: string) =>
  got(["conferences", id, "marks"], (signal) =>
    api.GET("/api/conferences/{conference}/papers", { ...inConference(id), signal }),
  );

/** What area chairs recommend: all of them for chairs, their own for an area chair. */
export const recommendationsQuery = (id: string) =>
  got(["conferences", id, "recommendations"], (signal) =>
    api.GET("/api/conferences/{conference}/recommendations", { ...inConference(id), signal }),
  );

export const viewsQuery = (id: string) =>
  got(["conferences", id, "views"], (signal) =>
    api.GET("/api/conferences/{conference}/views", { ...inConference(id), signal }),
  );

/** The files that a run alone has read. */
export const ownFilesQuery = (id: string) =>
  got(["runs", id, "own files"], (signal) =>
    api.GET("/api/runs/{run}/own-files", { ...ofRun(id), signal }),
  );

export const runInfoQuery = (id: string) =>
  got(["runs", id], (signal) => api.GET("/api/runs/{run}", { ...ofRun(id), signal }));

/** The parameters of a run, or of what an area chair sees of it. */
const seenBy = (run: string, as: string | null) => ({
  params: { path: { run }, query: as ? { as } : {} },
});

/** The sides of the chairs' line of an area chair's papers; empty unless the chairs show them. */
export const sidesQuery = (run: string, as: string | null) =>
  got(["runs", run, "sides", as], (signal) =>
    api.GET("/api/runs/{run}/sides", { ...seenBy(run, as), signal }),
  );

/** A run as the viewer may see it, or as an area chair does (`as`). Fetched once per visit. */
export const runQuery = (run: string, as: string | null = null) =>
  queryOptions({
    queryKey: ["runs", run, "view", as],
    queryFn: async ({ signal }) =>
      openRun(await bodyOf(api.GET("/api/runs/{run}/view", { ...seenBy(run, as), signal }))),
    staleTime: "static",
    gcTime: 0,
    structuralSharing: false,
  });

/** A change on the server. Pending until every query on the page has been fetched again. */
export function useChange<Input = void, Output = unknown>(
  mutationFn: (input: Input) => Promise<Output>,
) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries() });
}
