// The page of papers: the line in one sentence, the search, and one row per paper.
import { useRef } from "react";

import { Button } from "../../../components/buttons";
import { useMedia } from "../../../components/browser";
import { count } from "../../../domain/format";
import { clearFilter } from "../../../domain/tableState";
import { useRun } from "../context";
import { useTable } from "../useTable";
import { ExportMenu, SortSelect, ViewMenu } from "./TableMenus";
import { BulkBar, ImportedDecisions, useMarkChange } from "../decisions/BulkBar";
import { useSelection } from "./useRowKeys";
import { FilterChips, FilterMenu, Search } from "./Filters";
import { LineBar } from "../line/LineBar";
import { PapersTable } from "./PapersTable";
import "./papers.css";

export function Papers() {
  const { run } = useRun();
  const table = useTable();
  const toLine = useRef<() => void>(null);
  const cards = useMedia("(max-width: 37.49rem)");
  const { papers } = table;
  const selection = useSelection(papers);
  const change = useMarkChange();
  const marked = run.marks !== null;
  const accepted = useAccepted();
  return (
    <div className="papers">
      <LineBar
        onGo={papers.length && accepted !== null ? () => toLine.current?.() : undefined}
        onSelect={marked ? selection.choose : undefined}
      />
      <ImportedDecisions change={change} />
      <div className="papers-tools">
        <Search />
        <FilterMenu />
        <FilterChips />
        <p role="status" className="soft number">
          {papers.length < run.papers && `${count(papers.length)} of `}
          {count(run.papers)} papers
        </p>
        <div className="row no-print">
          {cards && <SortSelect />}
          <ViewMenu />
          <ExportMenu />
        </div>
      </div>
      {papers.length ? (
        <PapersTable
          accepted={accepted}
          cards={cards}
          toLine={toLine}
          selection={marked ? selection : null}
          change={change}
        />
      ) : (
        <div className="card row">
          {run.papers ? "No papers match." : "There are no papers in this run."}
          {run.papers > 0 && (
            <Button onClick={() => table.set(clearFilter())}>Clear filters</Button>
          )}
        </div>
      )}
      {marked && <BulkBar selection={selection} change={change} />}
    </div>
  );
}

/** How many of the shown papers are above the rule; null where no rule can be drawn: the rows are in
 * another order, or in each of several tracks the line is elsewhere. */
function useAccepted(): number | null {
  const { line, state, rankBy, papers } = useTable();
  if (!line || state.mode === "given" || state.sort[0]?.id !== rankBy.statistic) return null;
  if (line.accept.perTrack && state.filter.values.track === undefined) return null;
  return papers.reduce((size, paper) => size + (line.above[paper] ?? 0), 0);
}
