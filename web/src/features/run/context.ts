// The run that the pages show, and the actions that they offer.
import { createContext, useContext } from "react";

import type { PaperChange, SavedView, LineSide } from "../../api/types";
import type { Accept } from "../../domain/line";
import type { Run } from "../../domain/run";

/** The outcome of a change of many papers. */
export interface Outcome {
  batch: string | null; // to undo it
  papers: number;
  kept: number; // papers that were changed since, and that undoing left alone
}

/** Changes of the chairs' marks; papers are named by their ids as text. */
export interface Marking {
  decide(papers: string[], decision: string | null): Promise<Outcome>;
  tag(papers: string[], add: string[], remove: string[]): Promise<Outcome>;
  takeImported(): Promise<Outcome>;
  undo(batch: string): Promise<Outcome>;
  writeNote(paper: string, note: string, before: string): Promise<void>;
  history(paper: string): Promise<PaperChange[]>;
}

/** What an area chair recommends, by a paper's id as text. */
export interface Recommending {
  of(paper: string): { value?: string | null; note?: string } | undefined;
  save?: (paper: string, value: string | null, note: string) => Promise<void>; // not in a preview
}

/** Named views of the table, each the query of an address. */
export interface Views {
  saved: SavedView[];
  save(name: string, query: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Files of the whole run under a heading. */
export interface DownloadGroup {
  heading: string;
  files: { text: string; href: string }[];
}

export interface RunActions {
  downloads?: DownloadGroup[];
  /** Opens the exports to conference systems. */
  exportToSystem?: () => void;
  /** Saves the line with the run. */
  saveLine?: (accept: Accept | null) => void;
  marking?: Marking;
  recommending?: Recommending;
  /** The sides of the chairs’ line that an area chair is told, by a paper’s id as text. */
  sides?: Record<string, LineSide>;
  views?: Views;
}

interface RunState {
  run: Run;
  line: Accept | null; // saved with the run
  base: string;
  search: string; // "?…", the query that every link keeps
  actions: RunActions;
}

export const RunContext = createContext<RunState | null>(null);

export function useRun(): RunState {
  const state = useContext(RunContext);
  if (!state) throw new Error("useRun is for the pages of a run");
  return state;
}
