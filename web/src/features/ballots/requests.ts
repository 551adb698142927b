// The chair's requests about collections of ballots.
import { queryOptions } from "@tanstack/react-query";

import { fileOf, type NamedFile } from "../../api/files";
import { api, bodyOf } from "../../api/client";
import type {
  BallotLinksRequest,
  CollectionChange,
  CollectionSource,
  NewCollectionRequest,
  RankingExport,
  UseBallots,
} from "../../api/types";

export const collectionsQuery = (conference: string) =>
  queryOptions({
    queryKey: ["conferences", conference, "collections"],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET("/api/conferences/{conference}/collections", {
          params: { path: { conference } },
          signal,
        }),
      ),
  });

const POLL_INTERVAL = 15_000; // ms between two looks at how far reviewers have come

export const collectionQuery = (collection: string) =>
  queryOptions({
    queryKey: ["collections", collection],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET("/api/collections/{collection}", { params: { path: { collection } }, signal }),
      ),
    refetchInterval: POLL_INTERVAL,
  });

export const ballotOfQuery = (collection: string, ballot: string) =>
  queryOptions({
    queryKey: ["collections", collection, "ballots", ballot],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET("/api/collections/{collection}/ballots/{ballot}", {
          params: { path: { collection, ballot } },
          signal,
        }),
      ),
  });

export const previewQuery = (conference: string, source: CollectionSource) =>
  queryOptions({
    queryKey: ["conferences", conference, "collections", "preview", source],
    queryFn: ({ signal }) =>
      bodyOf(
        api.POST("/api/conferences/{conference}/collections/preview", {
          params: { path: { conference } },
          body: source,
          signal,
        }),
      ),
    staleTime: "static",
  });

export const makeCollection = (conference: string, body: NewCollectionRequest) =>
  bodyOf(
    api.POST("/api/conferences/{conference}/collections", {
      params: { path: { conference } },
      body,
    }),
  );

export const changeCollection = (collection: string, body: CollectionChange) =>
  bodyOf(api.PATCH("/api/collections/{collection}", { params: { path: { collection } }, body }));

export const makeBallotLinks = (collection: string, body: BallotLinksRequest) =>
  bodyOf(
    api.POST("/api/collections/{collection}/links", { params: { path: { collection } }, body }),
  );

export const putBallotsToUse = (collection: string, body: UseBallots) =>
  bodyOf(api.POST("/api/collections/{collection}/use", { params: { path: { collection } }, body }));

export const exportRankings = (collection: string, query: RankingExport): Promise<NamedFile> =>
  fileOf(
    api.GET("/api/collections/{collection}/export", {
      params: { path: { collection }, query },
      parseAs: "blob",
    }) as Promise<{ data?: Blob; response: Response }>,
  );

export const deleteCollection = (collection: string) =>
  api.DELETE("/api/collections/{collection}", { params: { path: { collection } } });
