// A run's state and settings in words.
import type { Schemas } from "../api/client";

type Status = Schemas["RunSummary"]["status"];

export const STATUS: Record<Status, string> = {
  queued: "Waiting",
  running: "Running",
  done: "Done",
  refused: "Refused",
  failed: "Failed",
  cancelled: "Cancelled",
};
export const TONE: Record<Status, "" | "good" | "bad" | "warn"> = {
  queued: "",
  running: "warn",
  done: "good",
  refused: "bad",
  failed: "bad",
  cancelled: "",
};
const STAGES: Record<string, string> = {
  reading: "Reading the files",
  checking: "Checking the input",
  validating: "Choosing λ",
  simulating: "Choosing λ",
  solving: "Computing scores",
  explaining: "Finding why scores moved",
  saving: "Saving the results",
};
const POLICY: Record<string, string> = {
  refuse: "Refuse",
  scores: "Scores rule",
  rankings: "Rankings rule",
};

export const policyInWords = (policy: string | null): string =>
  policy === null ? "" : (POLICY[policy] ?? policy);

export function lambdaInWords(lam: number | "inf" | string | null): string {
  if (lam === null) return "";
  if (lam === "inf") return "∞";
  return typeof lam === "number" ? String(Number(lam.toPrecision(4))) : lam;
}

export function stageInWords(status: Status, stage: string | null): string {
  if (status === "queued") return "Waiting for its turn";
  if (stage === null) return "Starting";
  return STAGES[stage] ?? `${stage.charAt(0).toUpperCase()}${stage.slice(1)}`;
}
