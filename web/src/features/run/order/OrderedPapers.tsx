// The papers of an area chair who sees their order and the given scores, and the page of one of them.
import { useMemo } from "react";

import { Menu, MenuDownload, MenuItem } from "../../../components/buttons";
import { saveCsv } from "../../../components/browser";
import { DataTable } from "../../../components/DataTable";
import { csvOf, exportFileName } from "../../../domain/exportTable";
import { scoreLabel, scoreText } from "../../../domain/format";
import {
  orderContradiction,
  placedPapers,
  reasonAgainstNext,
  type PlacedPaper,
} from "../../../domain/paperOrder";
import { numberAt, type Run, reviewAt } from "../../../domain/run";
import { rangeText } from "../../../domain/places";
import { useRun, useActions, type LineSide } from "../context";
import { ContradictionBadge, Neighbours, PaperLink, RankingLine } from "../inline";
import { Card } from "../../../components/Card";
import { reviewerTitle } from "../../../domain/rankings";
import { DECISIONS } from "../../../domain/glossary";
import { NoteField } from "../decisions/PaperDecision";
import { SavedChoice } from "../decisions/SavedChoice";
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
      <div className="row spread">
        <ExportMenu placed={placed} />
      </div>
      <DataTable
        label="Papers"
        look="card flush row-blocks ordered-papers"
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
      {contradiction && <span className="hint warn-text block">⚠ {contradiction}</span>}
    </>
  );
}

const SIDE_TONES: Record<LineSide, string> = { above: "good", near: "warn", below: "bad" };

const SideOfLine = ({ side }: { side: LineSide | undefined }) =>
  side && <span className={`badge ${SIDE_TONES[side]}`}>{side} the line</span>;

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
    saveCsv(csvOf(columns, [...placed.keys()]), exportFileName(run, "my-papers", "csv"));
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

export function OrderedPaper({ paper }: { paper: number }) {
  const { run } = useRun();
  const actions = useActions();
  const placed = useMemo(() => placedPapers(run), [run]);
  const index = placed.findIndex((one) => one.paper === paper);
  const [previous, own, next] = [placed[index - 1], placed[index], placed[index + 1]];
  const reason = own && reasonAgainstNext(run, own, next);
  const contradiction = orderContradiction(run, paper);
  const reviewerOf = (review: number) => reviewAt(run.view, review).reviewer;
  return (
    <div className="stack">
      <div className="row spread">
        <p>
          {own?.first
            ? `Place ${rangeText(own)} of your ${placed.length} papers${reason ? `: ${reason}` : ""}.`
            : "This paper has no scores, and so no place."}
        </p>
        <Neighbours previous={previous?.paper} next={own && next?.paper} />
      </div>
      {contradiction && <p className="warn-text">⚠ {contradiction}.</p>}
      {actions.recommending && (
        <Card title="My recommendation" look="tight no-print">
          <RecommendationChoice paper={paper} />
          <RecommendationNote paper={paper} />
        </Card>
      )}
      <Card title="Reviews" look="tight">
        <DataTable
          label="Reviews and rankings"
          rows={run.reviewsOf[paper] ?? []}
          keyOf={(review) => review}
          columns={[
            {
              head: "Reviewer",
              cell: (review) => reviewerTitle(run.view, reviewerOf(review)),
              names: true,
            },
            {
              head: "Given",
              cell: (review) => scoreText(run.view, reviewAt(run.view, review).score),
            },
            {
              head: "Ranking",
              cell: (review) => (
                <>
                  <RankingLine reviewer={reviewerOf(review)} paper={paper} links />{" "}
                  {run.contradicts.has(review) && <ContradictionBadge />}
                </>
              ),
            },
          ]}
        />
      </Card>
    </div>
  );
}

const OPTIONS = [
  ["", "No recommendation"],
  ...DECISIONS.map((label) => [label, label] as const),
] as const;

export function RecommendationChoice({ paper }: { paper: number }) {
  const { run } = useRun();
  const actions = useActions();
  const id = String(run.view.papers.paper[paper]);
  const { of, save } = actions.recommending ?? {};
  const value = of?.(id)?.value ?? "";
  if (!save) return value || "–";
  return (
    <SavedChoice
      label={`Recommendation on paper ${id}`}
      text={value || "–"}
      change={actions.saving?.of("recommendation", id)}
      look="framed"
      options={OPTIONS}
      value={value}
      onChoose={(option) => save.value(id, option || null)}
    />
  );
}

export function RecommendationNote({
  paper,
  compact = false,
}: {
  paper: number;
  compact?: boolean;
}) {
  const { run } = useRun();
  const actions = useActions();
  const id = String(run.view.papers.paper[paper]);
  const { of, save } = actions.recommending ?? {};
  const said = of?.(id);
  if (!save) return <span className="pre-line">{said?.note}</span>;
  return (
    <NoteField
      key={id}
      label={compact ? `Note to the chairs on paper ${id}` : "Note to the chairs"}
      compact={compact}
      note={said?.note ?? ""}
      unsaved={actions.saving?.of("note", id)}
      save={(text, before, leaving) => save.note(id, text, before, leaving)}
    />
  );
}
