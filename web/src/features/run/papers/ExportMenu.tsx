// Exports the shown table: papers as CSV by the page, the rest through the server where there is one.
import { Fragment, useState } from "react";

import type { ExportRequest } from "../../../api/types";
import { BYTE_ORDER_MARK, csvOf } from "../../../domain/csv";
import {
  exportFileName,
  exportNames,
  paperColumns,
  reviewColumns,
} from "../../../domain/exportTable";
import { keptLine } from "../../../domain/line";
import { saveFile } from "../../../components/saveFile";
import { Menu } from "../../../components/Menu";

import { useRun } from "../context";
import type { Table } from "../useTable";

type Kind = Pick<ExportRequest, "format" | "table">;

const KINDS: [Kind, string][] = [
  [{ format: "csv", table: "papers" }, "Papers as CSV"],
  [{ format: "xlsx", table: "papers" }, "Papers as XLSX"],
  [{ format: "csv", table: "reviews" }, "Reviews as CSV"],
  [{ format: "xlsx", table: "reviews" }, "Reviews as XLSX"],
];
const IN_PAGE = KINDS.filter(([{ format }]) => format === "csv");

/** What the page shows of papers it writes itself, without a wait. */
const isInPage = ({ format, table }: Kind): boolean => format === "csv" && table === "papers";

export function ExportMenu({ table }: { table: Table }) {
  const { run, actions } = useRun();
  const [error, setError] = useState<string | null>(null);
  const { papers, state, ruling } = table;
  const { exportShown, exportToSystem, downloads = [] } = actions;
  const nameOf = (kind: Kind) => exportFileName(run, kind.table ?? "papers", kind.format ?? "csv");

  const byServer = async (kind: Kind, send: NonNullable<typeof exportShown>) => {
    setError(null);
    const request = {
      ...kind,
      papers: papers.flatMap((paper) => run.view.papers.paper[paper] ?? []),
      columns: kind.table === "papers" ? exportNames(state.columns, state.mode) : null,
      mode: state.mode,
      statistic: ruling.statistic,
      descending: ruling.desc,
      line: state.accept && keptLine(state.accept),
    };
    try {
      await send(request, nameOf(kind));
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : "The file could not be made.");
    }
  };
  const inPage = (kind: Kind) => {
    const text =
      kind.table === "papers"
        ? csvOf(paperColumns(run, state.columns, state.mode, ruling, state.accept), papers)
        : csvOf(
            reviewColumns(run),
            papers.flatMap((paper) => run.reviewsOf[paper] ?? []),
          );
    saveFile(new Blob([BYTE_ORDER_MARK, text], { type: "text/csv" }), nameOf(kind));
  };
  return (
    <Menu text="Export">
      {(close) => (
        <>
          <p className="hint">What is shown</p>
          {(exportShown ? KINDS : IN_PAGE).map(([kind, text]) => (
            <button
              key={text}
              type="button"
              className="menu-item"
              onClick={() => {
                if (exportShown && !isInPage(kind)) return void byServer(kind, exportShown);
                inPage(kind);
                close();
              }}
            >
              {text}
            </button>
          ))}
          {error && (
            <p className="hint" role="alert">
              {error}
            </p>
          )}
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
            <button
              type="button"
              className="menu-item"
              onClick={() => {
                close();
                exportToSystem();
              }}
            >
              HotCRP or OpenReview …
            </button>
          )}
        </>
      )}
    </Menu>
  );
}
