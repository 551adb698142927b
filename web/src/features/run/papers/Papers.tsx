// The page of papers: one row per paper, with scores in one of three modes.
import { useRef } from "react";

import { count } from "../../../domain/format";
import { hasScores, MODE_NAMES, MODES } from "../../../domain/run";
import { writeMode } from "../../../domain/tableState";
import { SegmentedControl } from "../../../components/choices";
import { useRun } from "../context";
import { useTable } from "../useTable";
import { ColumnsMenu, ViewsMenu, ExportMenu } from "./TableMenus";
import { BulkBar, ImportedDecisions, SelectMenu } from "../decisions/BulkBar";
import { useMarkChange } from "../decisions/useMarkChange";
import { useSelection } from "../decisions/useSelection";
import { Filters } from "./Filters";
import { LineBar } from "../line/LineBar";
import { PapersTable } from "./PapersTable";
import { acceptedOf, useLine } from "../line/useLine";
import { SortList } from "./SortList";
import "./papers.css";

const MODE_OPTIONS = MODES.map((mode) => [mode, MODE_NAMES[mode]] as const);

export function Papers() {
  const { run } = useRun();
  const table = useTable();
  const line = useLine(table);
  const toLine = useRef<() => void>(null);
  const { state, papers, set } = table;
  const selection = useSelection(papers);
  const change = useMarkChange();
  const marked = run.marks !== null;
  const ruled = papers.length > 0 && acceptedOf(line, table) !== null;
  return (
    <div className="papers">
      <div className="row spread no-print">
        {hasScores(run.view) && (
          <SegmentedControl
            label="What is shown of the scores"
            options={MODE_OPTIONS}
            value={state.mode}
            onChange={(mode) => set(writeMode(mode))}
          />
        )}
        <div className="row">
          {marked && <SelectMenu shown={papers} line={line} selection={selection} />}
          <ViewsMenu table={table} />
          <ColumnsMenu table={table} />
          <ExportMenu table={table} />
        </div>
      </div>
      <Filters table={table} />
      <LineBar table={table} line={line} onGo={ruled ? () => toLine.current?.() : undefined} />
      <ImportedDecisions change={change} />
      <div className="row spread papers-above">
        <p role="status">
          {count(papers.length)} of {count(run.papers)} papers
        </p>
        <SortList table={table} />
      </div>
      {papers.length ? (
        <PapersTable
          table={table}
          line={line}
          toLine={toLine}
          selection={marked ? selection : null}
        />
      ) : (
        <p className="card">
          {run.papers ? "No paper matches these filters." : "There are no papers in this run."}
        </p>
      )}
      {marked && <BulkBar selection={selection} change={change} />}
    </div>
  );
}
