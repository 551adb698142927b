// A finished run as files.
import { useState } from "react";

import type { Schemas } from "../../api/client";
import { ExportDialog } from "./ExportDialog";

const FILES: readonly (readonly [string, string])[] = [
  ["files/scores.csv", "scores.csv"],
  ["files/papers.csv", "papers.csv"],
  ["files/run.json", "run.json"],
  ["report.html", "report.html"],
];

export function Downloads({ run }: { run: Schemas["Run"] }) {
  const [exporting, setExporting] = useState(false);
  return (
    <div className="row" role="group" aria-label={`Downloads of ${run.name}`}>
      {FILES.map(([path, name]) => (
        <a key={path} className="button" href={`/api/runs/${run.id}/${path}`} download>
          {name}
        </a>
      ))}
      <button type="button" className="button" onClick={() => setExporting(true)}>
        Export to HotCRP or OpenReview
      </button>
      {exporting && <ExportDialog run={run.id} onClose={() => setExporting(false)} />}
    </div>
  );
}
