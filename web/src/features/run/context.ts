// The run that the pages show, and the actions that they offer.
import { createContext, useContext } from "react";

import type { ExportRequest } from "../../api/types";
import type { Run } from "../../domain/run";

export interface RunActions {
  /** Saves the shown table as a file under a name; without it the page writes CSV itself. */
  exportShown?: (request: ExportRequest, name: string) => Promise<void>;
  downloads?: { text: string; href: string }[];
}

interface RunState {
  run: Run;
  base: string;
  kept: string; // the query that every link keeps
  actions: RunActions;
}

export const RunContext = createContext<RunState | null>(null);

export function useRun(): RunState {
  const state = useContext(RunContext);
  if (!state) throw new Error("useRun is for the pages of a run");
  return state;
}
