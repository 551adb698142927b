// The reviewer's requests.
import { queryOptions } from "@tanstack/react-query";

import { api, bodyOf, outlivingPage } from "../../api/client";
import type { Save } from "./drafts";
import type { Ballot } from "./ballotTypes";

export async function loadBallot(): Promise<Ballot> {
  return (await bodyOf(api.GET("/api/ballot"))) as Ballot;
}

export async function sendBallot(save: Save, leaving: boolean): Promise<Ballot> {
  const options = leaving ? outlivingPage(save) : {};
  return (await bodyOf(api.PUT("/api/ballot", { body: save, ...options }))) as Ballot;
}

export const ballotQuery = queryOptions({
  queryKey: ["ballot"],
  queryFn: loadBallot,
  staleTime: "static",
});

export const versionsQuery = (newest: number) =>
  queryOptions({
    queryKey: ["ballot", "versions", newest],
    queryFn: ({ signal }) => bodyOf(api.GET("/api/ballot/versions", { signal })),
  });
