// Exports the shown table: through the server where there is one, else as CSV by the page.
import { useState } from "react";

import type { ExportRequest } from "../../../api/types";
import { csvOf } from "../../../domain/csv";
import { exportNames, paperColumns, reviewColumns } from "../../../domain/exportTable";
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

export function ExportMenu({ table }: { table: Table }) {
  const { run, actions } = useRun();
  const [error, setError] = useState<string | null>(null);
  const { papers, state } = table;
  const { exportShown, downloads = [] } = actions;

  const byServer = async (kind: Kind, send: NonNullable<typeof exportShown>) => {
    setError(null);
    try {
      await send({
        ...kind,
        papers: papers.flatMap((paper) => run.view.papers.paper[paper] ?? []),
        columns: kind.table === "papers" ? exportNames(state.columns, state.mode) : null,
      });
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : "The file could not be made.");
    }
  };
  const inPage = (kind: Kind) => {
    const text =
      kind.table === "papers"
        ? csvOf(paperColumns(run, state.columns, state.mode), papers)
        : csvOf(
            reviewColumns(run),
            papers.flatMap((paper) => run.reviewsOf[paper] ?? []),
          );
    saveFile(new Blob([text], { type: "text/csv" }), `${kind.table}.csv`);
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
                if (exportShown) return void byServer(kind, exportShown);
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
          {downloads.length > 0 && <p className="hint">The whole run</p>}
          {downloads.map(({ text, href }) => (
            <a key={href} className="menu-item" href={href} download onClick={close}>
              {text}
            </a>
          ))}
        </>
      )}
    </Menu>
  );
}
