// The offline report: one run as one viewer may see it, in a file that needs no network.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { counted } from "./data/format";
import { openRun, type Run, type View } from "./data/run";
import { RunPages } from "./pages/run/RunPages";
import { Router, useRoute } from "./state/route";
import "./styles/base.css";

function Report({ run }: { run: Run }) {
  const { path } = useRoute();
  return <RunPages run={run} base="" path={path} who={<Scope run={run} />} />;
}

/** Whose papers these are, and of which run. */
function Scope({ run }: { run: Run }) {
  const { viewer, conference, name, finished } = run.view;
  const whose = viewer.role === "chair" ? "All papers" : `The papers of ${viewer.name}`;
  const which = [conference, name].filter(Boolean).join(", ");
  const when = finished ? ` (${finished.slice(0, 10)})` : "";
  return (
    <span className="soft">
      {whose}: {counted(run.papers, "paper")} of {which || "this run"}
      {when}
    </span>
  );
}

const root = document.getElementById("root");
const view = document.getElementById("view")?.textContent;
if (root && view)
  createRoot(root).render(
    <StrictMode>
      <Router kind="hash">
        <Report run={openRun(JSON.parse(view) as View)} />
      </Router>
    </StrictMode>,
  );
