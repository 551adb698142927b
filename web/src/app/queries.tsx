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

const inConference = (conference: string, signal: AbortSignal) => ({
  params: { path: { conference } },
  signal,
});
const ofRun = (run: string, signal: AbortSignal) => ({ params: { path: { run } }, signal });

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => bodyOf(api.GET("/api/me", { signal })),
  staleTime: "static",
});

export const conferencesQuery = queryOptions({
  queryKey: ["conferences"],
  queryFn: ({ signal }) => bodyOf(api.GET("/api/conferences", { signal })),
});

/** Deleted conferences that can be restored. For the server's owner. */
export const binQuery = queryOptions({
  queryKey: ["bin"],
  queryFn: ({ signal }) => bodyOf(api.GET("/api/bin", { signal })),
});

export const conferenceQuery = (conference: string) =>
  queryOptions({
    queryKey: ["conferences", conference],
    queryFn: ({ signal }) =>
      bodyOf(api.GET("/api/conferences/{conference}", inConference(conference, signal))),
  });

export const accessQuery = (conference: string) =>
  queryOptions({
    queryKey: ["conferences", conference, "access"],
    queryFn: ({ signal }) =>
      bodyOf(api.GET("/api/conferences/{conference}/access", inConference(conference, signal))),
  });

export const serverQuery = queryOptions({
  queryKey: ["server", "access"],
  queryFn: ({ signal }) => bodyOf(api.GET("/api/server/access", { signal })),
});

export const serverLogQuery = queryOptions({
  queryKey: ["server", "log"],
  queryFn: ({ signal }) => bodyOf(api.GET("/api/server/log", { signal })),
});

export const logQuery = (conference: string) =>
  queryOptions({
    queryKey: ["conferences", conference, "log"],
    queryFn: ({ signal }) =>
      bodyOf(api.GET("/api/conferences/{conference}/log", inConference(conference, signal))),
  });

/** The decisions, tags and notes of a conference. */
export const marksQuery = (conference: string) =>
  queryOptions({
    queryKey: ["conferences", conference, "marks"],
    queryFn: ({ signal }) =>
      bodyOf(api.GET("/api/conferences/{conference}/papers", inConference(conference, signal))),
  });

/** What area chairs recommend: all of them for chairs, their own for an area chair. */
export const recommendationsQuery = (conference: string) =>
  queryOptions({
    queryKey: ["conferences", conference, "recommendations"],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET("/api/conferences/{conference}/recommendations", inConference(conference, signal)),
      ),
  });

/** The sides of the chairs' line of an area chair's papers; empty unless the chairs show them. */
export const sidesQuery = (run: string, as: string | null) =>
  queryOptions({
    queryKey: ["runs", run, "sides", as],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET("/api/runs/{run}/sides", {
          params: { path: { run }, query: as ? { as } : {} },
          signal,
        }),
      ),
  });

export const viewsQuery = (conference: string) =>
  queryOptions({
    queryKey: ["conferences", conference, "views"],
    queryFn: ({ signal }) =>
      bodyOf(api.GET("/api/conferences/{conference}/views", inConference(conference, signal))),
  });

/** The files that a run alone has read. */
export const ownFilesQuery = (run: string) =>
  queryOptions({
    queryKey: ["runs", run, "own files"],
    queryFn: ({ signal }) => bodyOf(api.GET("/api/runs/{run}/own-files", ofRun(run, signal))),
  });

export const runInfoQuery = (run: string) =>
  queryOptions({
    queryKey: ["runs", run],
    queryFn: ({ signal }) => bodyOf(api.GET("/api/runs/{run}", ofRun(run, signal))),
  });

/** A run as the viewer may see it, or as an area chair does (`as`). Fetched once per visit. */
export const runQuery = (run: string, as: string | null = null) =>
  queryOptions({
    queryKey: ["runs", run, "view", as],
    queryFn: async ({ signal }) =>
      openRun(
        await bodyOf(
          api.GET("/api/runs/{run}/view", {
            params: { path: { run }, query: as ? { as } : {} },
            signal,
          }),
        ),
      ),
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
