// What is shown, as a file: by the server where there is one, else made in the page.
import { useState } from "react";

import { save } from "../../../api/files";
import { csvOf } from "../../../domain/csv";
import {
  exportNames,
  paperColumns,
  reviewColumns,
  type ExportRequest,
} from "../../../domain/exportTable";
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
  const [problem, setProblem] = useState<string | null>(null);
  const { papers, state } = table;
  const { exportShown, downloads = [] } = actions;

  const byServer = async (kind: Kind, send: NonNullable<typeof exportShown>) => {
    setProblem(null);
    try {
      await send({
        ...kind,
        papers: papers.map((paper) => run.view.papers.paper[paper] as number | string),
        columns: kind.table === "papers" ? exportNames(state.columns, state.mode) : null,
      });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The file could not be made.");
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
    save(new Blob([text], { type: "text/csv" }), `${kind.table}.csv`);
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
                if (!exportShown) inPage(kind);
                else void byServer(kind, exportShown);
                if (!exportShown) close();
              }}
            >
              {text}
            </button>
          ))}
          {problem && (
            <p className="hint" role="alert">
              {problem}
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
