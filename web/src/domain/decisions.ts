// Marks: the chairs' decisions, tags and notes, and what area chairs recommend, one entry per paper.
// They belong to the conference.
import { DECISIONS } from "./glossary";
import type { PaperMarks, SavedRecommendation } from "../api/schema";
import type { Run } from "./run";

export interface Marks {
  decision: (string | null)[];
  tags: string[][];
  note: (string | null)[];
  recommendation: (string | null)[]; // the area chair's; "Accept; Reject" of several
  area_chair_note: (string | null)[];
}

/** In a filter: papers without a decision. No label looks like this. */
export const UNDECIDED = "-";

export function marksOf(
  run: Run,
  listed: PaperMarks[],
  recommended: SavedRecommendation[] = [],
): Marks {
  const texts = () => Array.from({ length: run.papers }, (): string | null => null);
  const marks: Marks = {
    decision: texts(),
    tags: Array.from({ length: run.papers }, () => []),
    note: texts(),
    recommendation: texts(),
    area_chair_note: texts(),
  };
  for (const { paper, decision, tags, note } of listed) {
    const index = run.paperIndex.get(paper);
    if (index === undefined) continue; // a paper of another run
    marks.decision[index] = decision;
    marks.tags[index] = tags;
    marks.note[index] = note;
  }
  for (const { paper, value, note } of recommended) {
    const index = run.paperIndex.get(paper);
    if (index === undefined) continue;
    const joined = (...parts: (string | null | undefined)[]) =>
      parts.filter(Boolean).join("; ") || null;
    marks.recommendation[index] = joined(marks.recommendation[index], value);
    marks.area_chair_note[index] = joined(marks.area_chair_note[index], note);
  }
  return marks;
}

/** The chairs' decision; where there is none, or the viewer may not see it, that of the files. */
export const decisionOf = ({ marks, view }: Run, paper: number): string | null =>
  marks?.decision[paper] ?? view.papers.decision?.[paper] ?? null;

/** Whether the decision shown comes from the files, and the chairs have not taken it over. */
export const isImported = ({ marks, view }: Run, paper: number): boolean =>
  marks !== null && !marks.decision[paper] && Boolean(view.papers.decision?.[paper]);

/** How many decisions of the files the chairs could take over. */
export function importedLeft(run: Run): number {
  let left = 0;
  for (let paper = 0; paper < run.papers; paper++) if (isImported(run, paper)) left += 1;
  return left;
}

/** The three that are always offered, then all others that are in use. */
export function labelsOf({ marks }: Run): string[] {
  const own = new Set((marks?.decision ?? []).filter((label) => label !== null));
  return [...DECISIONS, ...[...own].filter((label) => !DECISIONS.includes(label)).sort()];
}

export const tagsInUse = ({ marks }: Run): string[] =>
  [...new Set((marks?.tags ?? []).flat())].sort();

/** "+late −short", tags that are added and removed. */
export const tagText = (add: string[], remove: string[]): string =>
  [...add.map((tag) => `+${tag}`), ...remove.map((tag) => `−${tag}`)].join(" ");

/** Change the marks of some papers, as the server will. */
export function changedMarks(
  listed: PaperMarks[],
  papers: readonly string[],
  change: (marks: PaperMarks) => PaperMarks,
): PaperMarks[] {
  const wanted = new Set(papers);
  const there = new Set(listed.map(({ paper }) => paper));
  const fresh = papers.filter((paper) => !there.has(paper));
  const all = [
    ...listed,
    ...fresh.map((paper) => ({ paper, decision: null, tags: [], note: null })),
  ];
  return all.map((marks) => (wanted.has(marks.paper) ? change(marks) : marks));
}
