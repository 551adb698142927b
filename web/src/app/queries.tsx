// What pages ask the server, and changes after which it is asked again.
import {
  QueryClient,
  QueryClientProvider,
  queryOptions,
  skipToken,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { get, post, type AnswerOf, type ParametersOf, type PathOf } from "../api/client";
import type { FileInfo } from "../api/schema";
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

type Asked = PathOf<"get">;

/** Under which key the answer at a path is held; null parameters: it is not asked yet. */
export const keyOf = <P extends Asked>(path: P, parameters: ParametersOf<P, "get"> | null) =>
  [path, parameters] as const;

/** What the server answers at a path. */
export const useGet = <P extends Asked>(
  path: P,
  parameters: ParametersOf<P, "get"> | null,
  options: Pick<UseQueryOptions<AnswerOf<P, "get">>, "refetchInterval" | "staleTime"> = {},
) =>
  useQuery<AnswerOf<P, "get">>({
    queryKey: keyOf(path, parameters),
    queryFn: parameters === null ? skipToken : ({ signal }) => get(path, parameters, { signal }),
    ...options,
  });

/** A run as the viewer may see it, or as an area chair does (`as`). Fetched once per visit. */
export const runQuery = (run: string, as: string | null = null) =>
  queryOptions({
    queryKey: ["run", run, as],
    queryFn: async ({ signal }) =>
      openRun(await get("/api/runs/{run}/view", { run, as }, { signal })),
    staleTime: "static",
    gcTime: 0,
    structuralSharing: false,
  });

/** The queries about conferences, which list their runs. */
export const OF_CONFERENCES = {
  predicate: ({ queryKey: [path] }: { queryKey: readonly unknown[] }) =>
    String(path).startsWith("/api/conferences"),
};

/** A change on the server. Pending until every query on the page has been fetched again. */
export function useChange<Input = void, Output = unknown>(
  mutationFn: (input: Input) => Promise<Output>,
) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries() });
}

/** Uploads to a conference, one file after the other. */
export const useUpload = (conference: string, for_ballots = false) =>
  useChange(async (files: File[]) => {
    const uploaded: FileInfo[] = [];
    for (const file of files) {
      const parameters = { conference, name: file.name, for_ballots };
      uploaded.push(await post("/api/conferences/{conference}/files", parameters, file));
    }
    return uploaded;
  });
