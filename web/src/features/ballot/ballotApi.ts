// A ballot as the server describes it, and the reviewer's requests.
import { get, put } from "../../api/client";
import type { Save } from "./drafts";
import type * as server from "../../api/schema";

// The schema calls optional what may be left out of a request; an answer has it all.
export type BallotContent = Required<server.BallotContent>;
export type BallotPaper = server.BallotPaper;
export type BallotOptions = Required<server.CollectionOptions>;

export interface Ballot extends Omit<server.Ballot, "content" | "collection"> {
  content: BallotContent;
  collection: Omit<server.Ballot["collection"], "options"> & { options: BallotOptions };
}

export type AnswerKind = BallotContent["answers"][number]["answer"];
export type PairOutcome = BallotContent["comparisons"][number]["outcome"];
export type Score = BallotContent["scores"][string];

export const loadBallot = async () => (await get("/api/ballot", {})) as Ballot;

export const sendBallot = async (save: Save, leaving: boolean) =>
  (await put("/api/ballot", {}, save, { leaving })) as Ballot;
