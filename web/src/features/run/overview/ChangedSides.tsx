// The papers that change side at the line, each with its reason; without a line those that moved furthest.
import { useMemo } from "react";

import { Card } from "../../../components/Card";
import { DataTable } from "../../../components/DataTable";
import { contradictionEffects } from "../../../domain/reviewerContradictions";
import { capitalized, count } from "../../../domain/format";
import type { Line } from "../../../domain/line";
import { leftRange, placesOf, rangeAt, type RankBy, rangeText } from "../../../domain/places";
import { placeChangeReason } from "../../../domain/placeSentences";
import { numberAt, type Run } from "../../../domain/run";
import { chanceText } from "../../../domain/uncertainty";
import { useRun } from "../context";
import { PaperLink } from "../inline";

/** Contradictions first, then papers that drop out, then by how far they moved. */
function changedPapers(run: Run, line: Line | null, rankBy: RankBy): number[] {
  const places = placesOf(run, rankBy);
  const effects = contradictionEffects(run, rankBy);
  const concerned = (paper: number) =>
    line ? line.parts.in[paper] || line.parts.out[paper] : leftRange(places, paper) !== "same";
  const size = (paper: number) => Math.abs(numberAt(places.change, paper)) || 0;
  const first = (paper: number) =>
    2 * Number(effects.has(paper)) + Number(line?.parts.out[paper] ?? 0);
  return [...run.reviewsOf.keys()]
    .filter(concerned)
    .sort((a, b) => first(b) - first(a) || size(b) - size(a) || a - b);
}

export function ChangedSides({ line, rankBy }: { line: Line | null; rankBy: RankBy }) {
  const { run } = useRun();
  const papers = useMemo(() => changedPapers(run, line, rankBy), [run, line, rankBy]);
  const title = line ? "Papers that change side" : "Papers that left their places";
  const titles = run.view.papers.title ?? false;
  const chances = line?.chances ?? false;
  const places = placesOf(run, rankBy, line?.accept.perTrack);
  const isBetter = (paper: number) =>
    line ? line.parts.in[paper] === 1 : leftRange(places, paper) === "up";
  return (
    <Card
      look="tight"
      title={
        <>
          {title} <span className="soft">{count(papers.length)}</span>
        </>
      }
    >
      {!papers.length && <p>{line ? "No paper changes side." : "No paper left its places."}</p>}
      {papers.length > 0 && (
        <DataTable
          label={`Table: ${title}`}
          look="row-blocks"
          most={6}
          rows={papers}
          keyOf={(paper) => paper}
          columns={[
            {
              head: "Place",
              cell: (paper) => {
                const [before, now] = [rangeAt(places.before, paper), rangeAt(places.now, paper)];
                return `${before ? rangeText(before) : ""} → ${now ? rangeText(now) : ""}`;
              },
              number: true,
              look: (paper) => `nowrap ${isBetter(paper) ? "up" : "down"}`,
            },
            {
              head: "Paper",
              cell: (paper) => <PaperLink paper={paper}>{run.view.papers.paper[paper]}</PaperLink>,
            },
            titles && { head: "Title", cell: (paper) => titles[paper], look: "title" },
            {
              head: "Why",
              cell: (paper) => <Why paper={paper} rankBy={rankBy} />,
              look: "why",
            },
            chances && {
              head: "In?",
              cell: (paper) => chanceText(numberAt(chances, paper)),
              number: true,
            },
          ]}
        />
      )}
    </Card>
  );
}

function Why({ paper, rankBy }: { paper: number; rankBy: RankBy }) {
  const { run } = useRun();
  const why = placeChangeReason(run, paper, rankBy);
  return (
    <>
      {contradictionEffects(run, rankBy).has(paper) && <span aria-hidden="true">⚠ </span>}
      {why && `${capitalized(why)}.`}
    </>
  );
}
