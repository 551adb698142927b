// A ballot as the server describes it. The schema calls optional what may be left out of a request; an
// answer has it all.
import type { SentBallot, BallotContent, BallotPaper, CollectionOptions } from "../../api/types";

export type { BallotContent, BallotPaper };
export type BallotOptions = CollectionOptions;

export interface Ballot extends Omit<SentBallot, "content" | "collection"> {
  content: BallotContent;
  collection: Omit<SentBallot["collection"], "options"> & { options: BallotOptions };
}

export type AnswerKind = BallotContent["answers"][number]["answer"];
export type PairOutcome = BallotContent["comparisons"][number]["outcome"];
export type Score = BallotContent["scores"][string];
