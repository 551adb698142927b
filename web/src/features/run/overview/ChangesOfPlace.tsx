// The papers whose place changed most, and why.
import { useMemo } from "react";

import { Card } from "../../../components/Card";
import { placesOf, rangeAt, laterMode } from "../../../domain/places";
import { whyPlaced, rangeText, tiedText } from "../../../domain/placeSentences";
import { hasDistances } from "../../../domain/run";
import { largestChanges } from "../../../domain/slopes";
import { numbers, ScrollTable } from "../../../components/PlainTable";
import { useRun } from "../context";
import { PaperLink } from "../PaperLink";
import { PlaceChange } from "../marks";
import type { Table } from "../useTable";

const SHOWN = 10;

export function ChangesOfPlace({ table }: { table: Table }) {
  const { run } = useRun();
  const distances = hasDistances(run.view);
  const { ruling } = table;
  const mode = laterMode(table.state.mode);
  const papers = useMemo(() => largestChanges(run, mode, ruling, SHOWN), [run, mode, ruling]);
  const places = placesOf(run, mode, ruling);
  if (!papers.length)
    return (
      <Card look="tight" title="Largest changes of place">
        <p>No paper changed its place.</p>
      </Card>
    );
  return (
    <Card look="tight" title="Largest changes of place">
      <p className="hint">
        By {ruling.statistic}. A tie before counts as the middle of its places.
      </p>
      <ScrollTable
        label="Table of the largest changes of place"
        columns={[
          "Paper",
          Boolean(run.view.papers.title) && "Title",
          ...numbers("Given", "Now", "Change"),
          distances && "Why",
        ]}
      >
        {papers.map((paper) => {
          const [before, now] = [rangeAt(places.before, paper), rangeAt(places.now, paper)];
          const why = whyPlaced(run, paper, { places, ruling });
          return (
            <tr key={paper}>
              <td>
                <PaperLink paper={paper}>{run.view.papers.paper[paper]}</PaperLink>
              </td>
              {run.view.papers.title && (
                <td className="title" dir="auto">
                  {run.view.papers.title[paper]}
                </td>
              )}
              <td className="number nowrap">{before && tiedText(before)}</td>
              <td className="number nowrap">{now && rangeText(now)}</td>
              <td className="number nowrap">
                <PlaceChange paper={paper} mode={mode} ruling={ruling} />
              </td>
              {distances && (
                <td className="why">{why && `${why.charAt(0).toUpperCase()}${why.slice(1)}.`}</td>
              )}
            </tr>
          );
        })}
      </ScrollTable>
    </Card>
  );
}
