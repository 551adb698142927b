// The page of papers: the line in one sentence, the search, and one row per paper.
import { useRef } from "react";

import { Button } from "../../../components/buttons";
import { useMedia } from "../../../components/browser";
import { count } from "../../../domain/format";
import { clearFilter } from "../../../domain/tableState";
import { useRun } from "../context";
import { useTable } from "../useTable";
import { ExportMenu, SortSelect, ViewMenu } from "./TableMenus";
import { BulkBar, ImportedDecisions } from "../decisions/BulkBar";
import { useMarkChange } from "../decisions/useMarkChange";
import { useSelection } from "../decisions/useSelection";
import { FilterChips, FilterMenu, Search } from "./Filters";
import { LineBar } from "../line/LineBar";
import { PapersTable } from "./PapersTable";
import { acceptedOf, useLine } from "../line/useLine";
import "./papers.css";

export function Papers() {
  const { run } = useRun();
  const table = useTable();
  const line = useLine(table);
  const toLine = useRef<() => void>(null);
  const cards = useMedia("(max-width: 37.49rem)");
  const { papers } = table;
  const selection = useSelection(papers);
  const change = useMarkChange();
  const marked = run.marks !== null;
  const ruled = papers.length > 0 && acceptedOf(line, table) !== null;
  return (
    <div className="papers">
      <LineBar
        table={table}
        line={line}
        onGo={ruled ? () => toLine.current?.() : undefined}
        onSelect={marked ? selection.choose : undefined}
      />
      <ImportedDecisions change={change} />
      <div className="papers-tools">
        <Search table={table} />
        <FilterMenu table={table} />
        <FilterChips table={table} />
        <p role="status">
          {papers.length < run.papers && `${count(papers.length)} of `}
          {count(run.papers)} papers
        </p>
        <div className="row no-print">
          {cards && <SortSelect table={table} />}
          <ViewMenu table={table} />
          <ExportMenu table={table} />
        </div>
      </div>
      {papers.length ? (
        <PapersTable
          table={table}
          line={line}
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
