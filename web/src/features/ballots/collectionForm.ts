// The form of a new collection: its texts and options, and what is wrong with them.
import type { CollectionOptions, CollectionSource, NewCollectionRequest } from "../../api/types";

export interface CollectionForm {
  title: string;
  instructions: string;
  deadline: string; // as the field writes it, in the chair's time zone; empty for none
  options: CollectionOptions;
  best: string; // how many papers are asked for; empty for all
  from: string; // "run ID", or "files"
  files: string[];
}

export const INSTRUCTIONS =
  "Please put the papers that you reviewed in order, the best first.\nPapers that are about the same may share a place; leave out what you cannot compare.";

export function emptyForm(run: string | undefined): CollectionForm {
  return {
    title: "",
    instructions: INSTRUCTIONS,
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
};

export interface FormMistakes {
  title?: string;
  best?: string;
  deadline?: string;
}

export function formMistakes(form: CollectionForm, now: number): FormMistakes {
  const best = Number(form.best);
  return {
    ...(form.title.trim() ? {} : { title: "Reviewers see it: it must have a title" }),
    ...(form.best && !(Number.isInteger(best) && best >= 1 && best <= 500)
      ? { best: "A whole number from 1 to 500, or empty" }
      : {}),
    ...(form.deadline && Date.parse(form.deadline) <= now ? { deadline: "It has passed" } : {}),
  };
}

export function requestOf(form: CollectionForm, source: CollectionSource): NewCollectionRequest {
  const { title, instructions, deadline, options, best } = form;
  return {
    title: title.trim(),
    instructions: instructions.trim(),
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
