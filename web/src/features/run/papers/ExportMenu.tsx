// Exports: the page writes what it shows as CSV; files of the whole run come from the server, if there is one.
import { Fragment } from "react";

import { MenuItem, Menu } from "../../../components/buttons";
import {
  BYTE_ORDER_MARK,
  csvOf,
  exportFileName,
  paperColumns,
  reviewColumns,
} from "../../../domain/exportTable";
import { saveFile } from "../../../components/browser";
import { useRun } from "../context";
import type { Table } from "../useTable";

export function ExportMenu({ table }: { table: Table }) {
  const { run, actions } = useRun();
  const { papers, state, ruling } = table;
  const { exportToSystem, downloads = [] } = actions;
  const save = (name: string, text: string) =>
    saveFile(
      new Blob([BYTE_ORDER_MARK, text], { type: "text/csv" }),
      exportFileName(run, name, "csv"),
    );
  const savePapers = () => {
    const columns = paperColumns(run, state.columns, state.mode, ruling, state.accept);
    save("papers", csvOf(columns, papers));
  };
  const saveReviews = () => {
    const reviews = papers.flatMap((paper) => run.reviewsOf[paper] ?? []);
    save("reviews", csvOf(reviewColumns(run), reviews));
  };
  return (
    <Menu text="Export">
      {(close) => (
        <>
          <p className="hint">What is shown</p>
          {(
            [
              ["Papers as CSV", savePapers],
              ["Reviews as CSV", saveReviews],
            ] as const
          ).map(([text, act]) => (
            <MenuItem
              key={text}
              onClick={() => {
                act();
                close();
              }}
            >
              {text}
            </MenuItem>
          ))}
          {downloads.map(({ heading, files }) => (
            <Fragment key={heading}>
              <p className="hint">{heading}</p>
              {files.map(({ text, href }) => (
                <a key={href} className="menu-item" href={href} download onClick={close}>
                  {text}
                </a>
              ))}
            </Fragment>
          ))}
          {exportToSystem && (
            <MenuItem
              onClick={() => {
                close();
                exportToSystem();
              }}
            >
              HotCRP or OpenReview …
            </MenuItem>
          )}
        </>
      )}
    </Menu>
  );
}
