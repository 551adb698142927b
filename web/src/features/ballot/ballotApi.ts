// A ballot as the server describes it, and the reviewer's requests.
import { queryOptions } from "@tanstack/react-query";

import { api, bodyOf, keepaliveOptions } from "../../api/client";
import type { Save } from "./drafts";
import type { SentBallot, BallotContent, BallotPaper, CollectionOptions } from "../../api/types";

// The schema calls optional what may be left out of a request; an answer has it all.
export type { BallotContent, BallotPaper };
export type BallotOptions = CollectionOptions;

export interface Ballot extends Omit<SentBallot, "content" | "collection"> {
  content: BallotContent;
  collection: Omit<SentBallot["collection"], "options"> & { options: BallotOptions };
}

export type AnswerKind = BallotContent["answers"][number]["answer"];
export type PairOutcome = BallotContent["comparisons"][number]["outcome"];
export type Score = BallotContent["scores"][string];

export async function loadBallot(): Promise<Ballot> {
  return (await bodyOf(api.GET("/api/ballot"))) as Ballot;
}

export async function sendBallot(save: Save, leaving: boolean): Promise<Ballot> {
  const options = leaving ? keepaliveOptions(save) : {};
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
