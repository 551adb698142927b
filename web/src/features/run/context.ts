// The run that the pages show, and the actions that they offer.
import { createContext, useContext, type ReactNode } from "react";

import type { Accept } from "../../domain/line";
import type { Run } from "../../domain/run";

/** The outcome of a change of many papers. */
export interface Outcome {
  batch: string | null; // to undo it
  papers: number;
  kept: number; // papers that were changed since, and that undoing left alone
}

/** Changes of the chairs' marks; papers are named by their ids as text. Null: `saving` says what is not saved. */
export interface Marking {
  decide(papers: string[], decision: string | null): Promise<Outcome | null>;
  tag(papers: string[], add: string[], remove: string[]): Promise<Outcome | null>;
  takeImported(): Promise<Outcome | null>;
  undo(batch: string): Promise<Outcome | null>;
  writeNote(paper: string, note: string, before: string, leaving: boolean): Promise<unknown>;
}

/** What an area chair recommends, by a paper's id as text. */
export interface Recommending {
  of(paper: string): { value?: string | null; note?: string } | undefined;
  save?: {
    value(paper: string, value: string | null): void;
    note(paper: string, note: string, before: string, leaving: boolean): Promise<unknown>;
  }; // not in a preview
}

/** Of the line. */
export type LineSide = "above" | "near" | "below";

/** A change that the server does not have: on its way there, or refused. */
export interface UnsavedChange {
  field: "decision" | "tag" | "note" | "recommendation" | "line" | "other";
  things: readonly string[]; // what is changed: papers by their ids as text
  text?: string | undefined; // of a note
  busy: boolean; // on its way
  message: string; // "Not connected: Reject for 1821 is not saved."; "" while it was not tried
  again: boolean; // whether trying again can help
  conflict: boolean; // whether somebody else has changed the same meanwhile
}

/** What is not saved, and what can be done about it. */
export interface Saving {
  changes: readonly UnsavedChange[];
  of(field: UnsavedChange["field"], thing: string): UnsavedChange | undefined;
  tryAgain(): void;
  giveUp(): void;
}

/** Files of the whole run under a heading. */
export interface DownloadGroup {
  heading: string;
  files: { text: string; href: string }[];
}

export interface RunActions {
  saving?: Saving;
  downloads?: DownloadGroup[];
  /** Opens the exports to conference systems. */
  exportToSystem?: () => void;
  /** Saves the line for all chairs: it belongs to the conference. */
  saveLine?: (accept: Accept | null) => void;
  marking?: Marking;
  recommending?: Recommending;
  /** The sides of the chairs’ line that an area chair is told, by a paper’s id as text. */
  sides?: Record<string, LineSide>;
  /** Views of the table that are saved under a name. */
  views?: ReactNode;
  /** Who changed the marks of a paper, by its id as text. */
  history?: (paper: string) => ReactNode;
}

interface RunState {
  run: Run;
  line: Accept | null; // the chairs' line, of the conference
  base: string;
}

export const RunContext = createContext<RunState | null>(null);

export function useRun(): RunState {
  const state = useContext(RunContext);
  if (!state) throw new Error("useRun is for the pages of a run");
  return state;
}

// Apart from the run, so that rows of a table are not drawn again while somebody types in its search.

/** "?…", the query that every link keeps. */
export const SearchContext = createContext("");
export const ActionsContext = createContext<RunActions>({});
export const useActions = (): RunActions => useContext(ActionsContext);
