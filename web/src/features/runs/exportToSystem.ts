// Exports for conference systems, with the parameters that each needs.
import { api } from "../../api/client";
import type { SystemExportQuery } from "../../api/types";
import type { Entry } from "../../domain/glossary";

export type Target = "hotcrp" | "openreview" | "openreview-notes";

export const TARGETS: Record<Target, Entry> = {
  hotcrp: { title: "HotCRP", text: "Tag values for each paper, as a bulk assignment (CSV)." },
  openreview: { title: "OpenReview edges", text: "An edge for each review (JSON)." },
  "openreview-notes": { title: "OpenReview notes", text: "A note for each paper (JSON)." },
};

export interface ExportChoice {
  target: Target;
  tag: string;
  perReview: boolean;
  invitation: string;
}

/** Fetch the file for a system, with the name that the server gives it. */
export async function exportToSystem(
  run: string,
  choice: ExportChoice,
): Promise<{ blob: Blob; name: string }> {
  const { target, tag, perReview, invitation } = choice;
  const { data, response } = await api.GET("/api/runs/{run}/export/{target}", {
    params: {
      path: { run, target },
      query: (target === "hotcrp"
        ? { tag: tag.trim(), per_review: perReview }
        : { invitation: invitation.trim() }) satisfies SystemExportQuery,
    },
    parseAs: "blob",
  });
  const header = response.headers.get("Content-Disposition") ?? "";
  const name = /filename="?([^";]+)"?/.exec(header)?.[1];
  const ending = target === "hotcrp" ? "csv" : "json";
  return { blob: data ?? new Blob(), name: name ?? `${target}.${ending}` };
}
