// The form of a new collection: its texts and options, and what is wrong with them.
import { capitalized } from "../../domain/format";
import type { BallotOptions } from "../ballot/useBallot";
import type { CollectionSource, NewCollection } from "../../api/schema";

export interface CollectionForm {
  title: string;
  instructions: string | null; // null: those that go with the options
  deadline: string; // as the field writes it, in the chair's time zone; empty for none
  options: BallotOptions;
  best: string; // how many papers are asked for; empty for all
  from: string; // "run ID", or "files"
  files: string[];
}

/** What the chair changes: some fields, or what they become from what they are by then. */
export type FormChange =
  Partial<CollectionForm> | ((form: CollectionForm) => Partial<CollectionForm>);

/** Instructions that say what the options allow, until the chair writes others. */
export function instructionsFor({ options, best }: CollectionForm): string {
  const { mode, ties, may_skip } = options;
  if (mode === "pairs") {
    const also = [ties && "that they are about the same", may_skip && "that you cannot say"]
      .filter(Boolean)
      .join(", or ");
    return `Please say which of two papers that you reviewed is the better one${also && `, or ${also}`}.\nYou may stop at any time: what you answered until then counts.`;
  }
  const what = best
    ? `Please choose the best ${best} of the papers that you reviewed, the best first.`
    : "Please put the papers that you reviewed in order, the best first.";
  const also = [
    ties && "papers that are about the same may share a place",
    may_skip && !best && "leave out what you cannot compare",
  ]
    .filter((part) => part !== false)
    .join("; ");
  return also ? `${what}\n${capitalized(also)}.` : what;
}

export function emptyForm(run: string | undefined): CollectionForm {
  return {
    title: "",
    instructions: null,
    deadline: "",
    options: { ties: true, top_k: null, may_skip: true, show_scores: true, mode: "list" },
    best: "",
    from: run ? `run ${run}` : "files",
    files: [],
  };
}

/** Where reviewers and papers come from; null while nothing is chosen. */
export function sourceOf({ from, files }: CollectionForm): CollectionSource | null {
  if (from.startsWith("run ")) return { run: from.slice(4), reading: READING };
  return files.length ? { files, reading: READING } : null;
}

/** Files are recognised by their content; the import page has settings for those that are not. */
const READING: CollectionSource["reading"] = {
  format: "auto",
  encoding: "",
  duplicates: "newest",
  match_ids: "certain",
  keep_withdrawn: false,
  count_drafts: false,
};

export interface FormMistakes {
  title?: string;
  best?: string;
  deadline?: string;
}

export function formMistakes(form: CollectionForm, now: number): FormMistakes {
  const best = Number(form.best);
  return {
    ...(form.title.trim() ? {} : { title: "Enter a title: reviewers see it" }),
    ...(form.best && !(Number.isInteger(best) && best >= 1 && best <= 500)
      ? { best: "A whole number from 1 to 500, or empty" }
      : {}),
    ...(form.deadline && Date.parse(form.deadline) <= now ? { deadline: "It has passed" } : {}),
  };
}

export function requestOf(form: CollectionForm, source: CollectionSource): NewCollection {
  const { title, instructions, deadline, options, best } = form;
  return {
    title: title.trim(),
    instructions: (instructions ?? instructionsFor(form)).trim(),
    deadline: deadline ? new Date(deadline).toISOString() : null,
    options: { ...options, top_k: best && options.mode === "list" ? Number(best) : null },
    source,
  };
}

/** A moment as the field reads it, in the chair's time zone; empty for none. */
export function localMoment(moment: string | null): string {
  if (!moment) return "";
  const at = new Date(moment);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
