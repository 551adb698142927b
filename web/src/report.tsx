// The offline report: one run as one viewer may see it, in a file that needs no network.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { openRun, type Run, type View } from "./data/run";
import { scopeText } from "./data/scope";
import { Overview } from "./pages/run/overview/Overview";
import { RunPages } from "./pages/run/RunPages";
import { recallTheme } from "./parts/Theme";
import { Router, useRoute } from "./state/route";
import "./styles/base.css";

function Report({ run }: { run: Run }) {
  const { path } = useRoute();
  return (
    <RunPages
      run={run}
      base=""
      path={path}
      overview={<Overview />}
      who={<span className="soft">{scopeText(run)}</span>}
    />
  );
}

recallTheme();
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
