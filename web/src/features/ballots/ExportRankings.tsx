// Downloads the rankings of a collection in a format that runs and systems read.
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";

import { Button } from "../../components/buttons";
import { hasStatus } from "../../api/errors";
import type { UseBallots } from "../../api/types";
import { ErrorNotice } from "../../components/Notice";
import { saveFile } from "../../components/browser";
import { exportRankings, type RankingFormat } from "./requests";

const FORMATS: Record<RankingFormat, readonly [string, string]> = {
  ranks: ["Ranks (CSV)", "rankings.csv"],
  pairs: ["Comparisons (CSV)", "comparisons.csv"],
  same: ["About the same (CSV)", "about-the-same.csv"],
  workbook: ["Workbook (XLSX)", "rankings.xlsx"],
  parquet: ["Comparisons (Parquet)", "comparisons.parquet"],
  hotcrp: ["HotCRP", "hotcrp-ranks.csv"],
  openreview: ["OpenReview tags", "tags.json"],
  cmt: ["CMT", "ReviewerSubmissionComparisons.txt"],
  scores: ["Changed scores (CSV)", "changed-scores.csv"],
};

export function ExportRankings({
  collection,
  which,
  unanswered,
  none,
}: {
  collection: string;
  none: boolean; // no ballot would be in it
} & Required<UseBallots>) {
  const field = useId();
  const [to, setTo] = useState<RankingFormat>("ranks");
  const exporting = useMutation({
    mutationFn: async (partial: "refuse" | "omit") =>
      saveFile(
        await exportRankings(collection, { to, which, unanswered, partial }),
        FORMATS[to][1],
      ),
  });
  return (
    <>
      <label htmlFor={field} className="visually-hidden">
        Format
      </label>
      <select
        id={field}
        className="select"
        value={to}
        onChange={(event) => {
          exporting.reset();
          setTo(event.target.value as RankingFormat);
        }}
      >
        {Object.entries(FORMATS).map(([name, [text]]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
      <Button disabled={none || exporting.isPending} onClick={() => exporting.mutate("refuse")}>
        Download
      </Button>
      {none && <span className="soft">No such ballot yet.</span>}
      <ErrorNotice error={exporting.error} />
      {hasStatus(exporting.error, 422) && (
        <Button onClick={() => exporting.mutate("omit")}>Download without these ballots</Button>
      )}
    </>
  );
}
