// The papers that change side at the line, each with its reason; without a line those that moved furthest.
import { useMemo, useState } from "react";

import { Button } from "../../../components/buttons";
import { Card } from "../../../components/Card";
import { numbers, BoxTable } from "../../../components/tables";
import { contradictionEffects } from "../../../domain/reviewerContradictions";
import { capitalized, count } from "../../../domain/format";
import type { Line } from "../../../domain/line";
import { leftRange, placesOf, rangeAt, type RankBy } from "../../../domain/places";
import { placeChangeReason, rangeText } from "../../../domain/placeSentences";
import { hasScores, numberAt, type Run } from "../../../domain/run";
import { chanceText } from "../../../domain/uncertainty";
import { useRun } from "../context";
import { PaperLink } from "../inline";

const AT_FIRST = 6;

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
  const [all, setAll] = useState(false);
  const papers = useMemo(() => changedPapers(run, line, rankBy), [run, line, rankBy]);
  const title = line ? "Papers that change side" : "Papers that left their places";
  const shown = all ? papers : papers.slice(0, AT_FIRST);
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
        <BoxTable
          label={`Table: ${title}`}
          look="row-blocks"
          columns={[
            ...numbers("Place"),
            "Paper",
            Boolean(run.view.papers.title) && "Title",
            hasScores(run.view) && "Why",
            ...(line?.chances ? numbers("In?") : []),
          ]}
        >
          {shown.map((paper) => (
            <ChangedPaper key={paper} paper={paper} line={line} rankBy={rankBy} />
          ))}
        </BoxTable>
      )}
      {papers.length > AT_FIRST && (
        <div className="row no-print">
          <Button onClick={() => setAll(!all)}>
            {all ? "Fewer" : `All ${count(papers.length)}`}
          </Button>
        </div>
      )}
    </Card>
  );
}

function ChangedPaper({
  paper,
  line,
  rankBy,
}: {
  paper: number;
  line: Line | null;
  rankBy: RankBy;
}) {
  const { run } = useRun();
  const { papers } = run.view;
  const places = placesOf(run, rankBy, line?.accept.perTrack);
  const [before, now] = [rangeAt(places.before, paper), rangeAt(places.now, paper)];
  const why = placeChangeReason(run, paper, rankBy);
  const better = line ? line.parts.in[paper] === 1 : leftRange(places, paper) === "up";
  return (
    <tr>
      <td className={`number nowrap ${better ? "up" : "down"}`}>
        {before && rangeText(before)} → {now && rangeText(now)}
      </td>
      <td>
        <PaperLink paper={paper}>{papers.paper[paper]}</PaperLink>
      </td>
      {papers.title && (
        <td className="title" dir="auto">
          {papers.title[paper]}
        </td>
      )}
      {hasScores(run.view) && (
        <td className="why">
          {contradictionEffects(run, rankBy).has(paper) && <span aria-hidden="true">⚠ </span>}
          {why && `${capitalized(why)}.`}
        </td>
      )}
      {line?.chances && <td className="number">{chanceText(numberAt(line.chances, paper))}</td>}
    </tr>
  );
}
