// The papers of an area chair who sees their order and the given scores: one row per paper, best first.
import { useMemo } from "react";

import { Menu, MenuDownload, MenuItem } from "../../../components/buttons";
import { saveFile } from "../../../components/browser";
import { ScrollBox } from "../../../components/ScrollBox";
import { TableHead } from "../../../components/DataTable";
import { BYTE_ORDER_MARK, csvOf, exportFileName } from "../../../domain/exportTable";
import { scoreLabel } from "../../../domain/format";
import {
  orderContradiction,
  placedPapers,
  reasonAgainstNext,
  type PlacedPaper,
} from "../../../domain/paperOrder";
import { rangeText } from "../../../domain/placeSentences";
import { numberAt, type Run } from "../../../domain/run";
import { useRun, useActions } from "../context";
import { PaperLink } from "../inline";
import { RecommendationNote, RecommendationChoice } from "./Recommendation";
import "./order.css";

export function OrderedPapers() {
  const { run } = useRun();
  const actions = useActions();
  const placed = useMemo(() => placedPapers(run), [run]);
  const { track } = run.view.papers;
  const told = Object.keys(actions.sides ?? {}).length > 0;
  return (
    <div className="stack">
      <div className="row ordered-export">
        <ExportMenu placed={placed} />
      </div>
      <ScrollBox label="Papers" className="card flush">
        <table className="plain ordered-papers" aria-label="Papers">
          <TableHead
            columns={[
              { head: "Place", number: true },
              { head: "Paper" },
              { head: "Title" },
              track !== null && { head: "Track" },
              { head: "Given scores", number: true },
              told && { head: "The chairs’ line" },
              actions.recommending !== undefined && { head: "I recommend" },
              actions.recommending !== undefined && { head: "Note to the chairs" },
            ]}
          />
          <tbody>
            {placed.map((one, index) => (
              <Row key={one.paper} placed={one} next={placed[index + 1]} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </div>
  );
}

function Row({ placed, next }: { placed: PlacedPaper; next: PlacedPaper | undefined }) {
  const { run } = useRun();
  const actions = useActions();
  const { paper } = placed;
  const { papers } = run.view;
  const reason = reasonAgainstNext(run, placed, next);
  const contradiction = orderContradiction(run, paper);
  const side = actions.sides?.[String(papers.paper[paper])];
  return (
    <tr>
      <td className="number strong">{placed.first ? rangeText(placed) : "–"}</td>
      <th scope="row">
        <PaperLink paper={paper}>{papers.paper[paper]}</PaperLink>
      </th>
      <td className="title" dir="auto">
        {papers.title?.[paper]}
        {reason && <span className="hint block">{reason}</span>}
        {contradiction && <span className="warn-text block">⚠ {contradiction}</span>}
      </td>
      {papers.track && <td>{papers.track[paper]}</td>}
      <td className="number">{givenScores(run, paper)}</td>
      {side && (
        <td className="nowrap">
          <span className={`side ${side}`} aria-hidden="true" /> {side} the line
        </td>
      )}
      {actions.recommending && (
        <>
          <td>
            <RecommendationChoice paper={paper} />
          </td>
          <td className="note-cell">
            <RecommendationNote paper={paper} compact />
          </td>
        </>
      )}
    </tr>
  );
}

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
