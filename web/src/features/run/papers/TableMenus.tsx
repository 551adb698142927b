// The menus of the table: what is shown (numbers, columns, saved views), exports, and sorting on phones.
import { Fragment } from "react";

import { Checkbox, SegmentedControl, Select } from "../../../components/choices";
import { Menu, MenuDownload, MenuItem } from "../../../components/buttons";
import { useRoute } from "../../../app/route";
import { writeColumns, writeMode, writeSort } from "../../../domain/tableState";
import { useRun, useActions } from "../context";
import { useTable } from "../useTable";
import { keepRankBy } from "../../../domain/order";
import { MODE_NAMES, MODES } from "../../../domain/run";
import { columnsOf, isSortable } from "../../../domain/columns";
import { EXPORT_SYSTEMS } from "../../../domain/glossary";
import { csvOf, exportFileName, paperColumns, reviewColumns } from "../../../domain/exportTable";
import { saveCsv } from "../../../components/browser";

const MODE_OPTIONS = MODES.map((mode) => [mode, MODE_NAMES[mode]] as const);

/** What the table shows: which numbers, which columns, and views saved under a name. */
export function ViewMenu() {
  const table = useTable();
  return (
    <Menu text="View">
      <div className="view-menu">
        <SegmentedControl
          label="Numbers in the columns of statistics"
          options={MODE_OPTIONS}
          value={table.state.mode}
          onChange={(mode) => table.set(writeMode(mode))}
        />
        <ColumnChoices />
        {useActions().views}
      </div>
    </Menu>
  );
}

/** Shows and hides columns. The paper's number is always shown. */
function ColumnChoices() {
  const table = useTable();
  const { run } = useRun();
  const { query } = useRoute();
  const { columns, accept } = table.state;
  const known = columnsOf(run, accept);
  const toggle = (column: string) => {
    const shown = columns.includes(column)
      ? columns.filter((other) => other !== column)
      : [...columns, column];
    table.show(writeColumns(run, shown, known, query));
  };
  return (
    <fieldset className="bare column-choices">
      <legend className="hint">Columns</legend>
      {known.map(({ id, title }) => (
        <Checkbox
          key={id}
          checked={columns.includes(id)}
          disabled={id === "paper"}
          onChange={() => toggle(id)}
        >
          {title}
        </Checkbox>
      ))}
    </fieldset>
  );
}

/** The order, on screens where the table has no headings. */
export function SortSelect() {
  const table = useTable();
  const { run } = useRun();
  const { sort, accept } = table.state;
  const columns = columnsOf(run, accept).filter(isSortable);
  const options = columns.flatMap(({ id, title }) => [
    [`-${id}`, `${title} ↓`] as const,
    [id, `${title} ↑`] as const,
  ]);
  const [first] = sort;
  return (
    <Select
      aria-label="Sort by"
      options={options}
      value={`${first?.desc ? "-" : ""}${first?.id}`}
      onChange={(chosen) => {
        const id = chosen.replace(/^-/, "");
        table.set(writeSort(keepRankBy([{ id, desc: chosen !== id }], sort)));
      }}
    />
  );
}

/** Exports: the page writes what it shows as CSV; files of the whole run come from the server, if there is one. */
export function ExportMenu() {
  const table = useTable();
  const { run } = useRun();
  const actions = useActions();
  const { papers, state, rankBy } = table;
  const { exportToSystem, downloads = [] } = actions;
  const save = (name: string, text: string) => saveCsv(text, exportFileName(run, name, "csv"));
  const savePapers = () => {
    const columns = paperColumns(run, state.columns, { ...state, rankBy });
    save("papers-shown", csvOf(columns, papers));
  };
  const saveReviews = () => {
    const reviews = papers.flatMap((paper) => run.reviewsOf[paper] ?? []);
    save("reviews-shown", csvOf(reviewColumns(run), reviews));
  };
  return (
    <Menu text="Export">
      <p className="hint">What is shown</p>
      <MenuItem onClick={savePapers}>Papers as CSV</MenuItem>
      <MenuItem onClick={saveReviews}>Reviews as CSV</MenuItem>
      {downloads.map(({ heading, files }) => (
        <Fragment key={heading}>
          <p className="hint">{heading}</p>
          {files.map(({ text, href }) => (
            <MenuDownload key={href} href={href}>
              {text}
            </MenuDownload>
          ))}
        </Fragment>
      ))}
      {exportToSystem && <MenuItem onClick={exportToSystem}>{EXPORT_SYSTEMS} …</MenuItem>}
    </Menu>
  );
}
