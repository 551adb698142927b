// What the conference systems take, and what has to be said for each.
export const TARGETS = ["hotcrp", "openreview", "openreview-notes"] as const;
export type Target = (typeof TARGETS)[number];

export interface ExportChoice {
  target: Target;
  tag: string;
  perReview: boolean;
  invitation: string;
}

export function exportPath(run: string, choice: ExportChoice): string {
  const query = new URLSearchParams();
  if (choice.target === "hotcrp") {
    query.set("tag", choice.tag.trim());
    if (choice.perReview) query.set("per_review", "true");
  } else query.set("invitation", choice.invitation.trim());
  return `runs/${run}/export/${choice.target}?${query}`;
}

export const exportName = (target: Target): string =>
  target === "hotcrp" ? "hotcrp.csv" : `${target}.json`;
