// The run that the pages show, and what can be done with it.
import { createContext, useContext } from "react";

import type { ExportRequest } from "../../domain/exportTable";
import type { Run } from "../../domain/run";

export interface RunActions {
  /** Writes what is shown as a file; without it the page makes CSV itself. */
  exportShown?: (request: ExportRequest) => Promise<void>;
  downloads?: { text: string; href: string }[];
}

export interface RunHere {
  run: Run;
  base: string;
  kept: string; // the query, which goes with every link
  actions: RunActions;
}

export const RunContext = createContext<RunHere | null>(null);

export function useRun(): RunHere {
  const here = useContext(RunContext);
  if (!here) throw new Error("useRun is for the pages of a run");
  return here;
}
