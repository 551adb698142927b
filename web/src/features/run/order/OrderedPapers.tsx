// The papers of an area chair who sees their order and the given scores: one row per paper, best first.
import { useMemo } from "react";

import { Menu, MenuDownload, MenuItem } from "../../../components/buttons";
import { saveFile } from "../../../components/browser";
import { DataTable } from "../../../components/DataTable";
import { BYTE_ORDER_MARK, csvOf, exportFileName } from "../../../domain/exportTable";
import { scoreLabel } from "../../../domain/format";
import {
  orderContradiction,
  placedPapers,
  reasonAgainstNext,
  type PlacedPaper,
} from "../../../domain/paperOrder";
import { numberAt, type Run } from "../../../domain/run";
import { rangeText } from "../../../domain/places";
import { useRun, useActions, type LineSide } from "../context";
import { PaperLink } from "../inline";
import { RecommendationNote, RecommendationChoice } from "./Recommendation";
import "./order.css";

export function OrderedPapers() {
  const { run } = useRun();
  const placed = useMemo(() => placedPapers(run), [run]);
  const { papers } = run.view;
  const { sides = {}, recommending } = useActions();
  const told = Object.keys(sides).length > 0;
  const recommends = recommending !== undefined;
  return (
    <div className="stack">
      <div className="row ordered-export">
        <ExportMenu placed={placed} />
      </div>
      <DataTable
        label="Papers"
        look="card flush ordered-papers"
        rows={placed}
        keyOf={({ paper }) => paper}
        columns={[
          {
            head: "Place",
            cell: (one) => (one.first ? rangeText(one) : "–"),
            number: true,
            look: "strong",
          },
          {
            head: "Paper",
            cell: ({ paper }) => <PaperLink paper={paper}>{papers.paper[paper]}</PaperLink>,
            names: true,
          },
          {
            head: "Title",
            cell: (one, index) => <TitleAndReason placed={one} next={placed[index + 1]} />,
            look: "title",
          },
          papers.track !== null && { head: "Track", cell: ({ paper }) => papers.track?.[paper] },
          { head: "Given scores", cell: ({ paper }) => givenScores(run, paper), number: true },
          told && {
            head: "The chairs’ line",
            cell: ({ paper }) => <SideOfLine side={sides[String(papers.paper[paper])]} />,
            look: "nowrap",
          },
          recommends && {
            head: "I recommend",
            cell: ({ paper }) => <RecommendationChoice paper={paper} />,
          },
          recommends && {
            head: "Note to the chairs",
            cell: ({ paper }) => <RecommendationNote paper={paper} compact />,
            look: "note-cell",
          },
        ]}
      />
    </div>
  );
}

function TitleAndReason({ placed, next }: { placed: PlacedPaper; next: PlacedPaper | undefined }) {
  const { run } = useRun();
  const reason = reasonAgainstNext(run, placed, next);
  const contradiction = orderContradiction(run, placed.paper);
  return (
    <>
      {run.view.papers.title?.[placed.paper]}
      {reason && <span className="hint block">{reason}</span>}
      {contradiction && <span className="warn-text block">⚠ {contradiction}</span>}
    </>
  );
}

const SideOfLine = ({ side }: { side: LineSide | undefined }) =>
  side && (
    <>
      <span className={`side ${side}`} aria-hidden="true" /> {side} the line
    </>
  );

export const givenScores = (run: Run, paper: number): string =>
  (run.reviewsOf[paper] ?? [])
    .map((review) => scoreLabel(run.view, numberAt(run.view.reviews.score, review)))
    .join(" ");

/** The table as a file, and the files that the server has. */
function ExportMenu({ placed }: { placed: PlacedPaper[] }) {
  const { run } = useRun();
  const actions = useActions();
  const save = () => {
    const { paper, title, track } = run.view.papers;
    const of = (row: number) => placed[row] as PlacedPaper;
    const said = (row: number) => actions.recommending?.of(String(paper[of(row).paper]));
    const columns = [
      { name: "own_place", cell: (row: number) => of(row).first || null },
      { name: "own_place_last", cell: (row: number) => of(row).last || null },
      { name: "paper", cell: (row: number) => paper[of(row).paper] ?? null },
      { name: "title", cell: (row: number) => title?.[of(row).paper] ?? null },
      { name: "track", cell: (row: number) => track?.[of(row).paper] ?? null },
      { name: "scores", cell: (row: number) => givenScores(run, of(row).paper) },
      { name: "recommendation", cell: (row: number) => said(row)?.value ?? null },
      { name: "area_chair_note", cell: (row: number) => said(row)?.note ?? null },
    ];
    saveFile({
      blob: new Blob([BYTE_ORDER_MARK, csvOf(columns, [...placed.keys()])], { type: "text/csv" }),
      name: exportFileName(run, "my-papers", "csv"),
    });
  };
  return (
    <Menu text="Export">
      <MenuItem onClick={save}>This table (CSV)</MenuItem>
      {actions.downloads?.flatMap(({ files }) =>
        files.map(({ text, href }) => (
          <MenuDownload key={href} href={href}>
            {text}
          </MenuDownload>
        )),
      )}
    </Menu>
  );
}
