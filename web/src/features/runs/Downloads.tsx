// The files of a finished run.
import { useState } from "react";

import { addressOf } from "../../api/client";
import type { RunInfo } from "../../api/types";
import { ExportDialog } from "./ExportDialog";

export function Downloads({ run }: { run: RunInfo }) {
  const [exporting, setExporting] = useState(false);
  return (
    <div className="row" role="group" aria-label={`Downloads of ${run.name}`}>
      {run.files.map((name) => (
        <a
          key={name}
          className="button"
          href={addressOf("/api/runs/{run}/files/{name}", { run: run.id, name })}
          download
        >
          {name}
        </a>
      ))}
      <a
        className="button"
        href={addressOf("/api/runs/{run}/report.html", { run: run.id })}
        download
      >
        report.html
      </a>
      <button type="button" className="button" onClick={() => setExporting(true)}>
        Export to HotCRP or OpenReview
      </button>
      {exporting && <ExportDialog run={run.id} onClose={() => setExporting(false)} />}
    </div>
  );
}
