// The offline report: one run as one viewer may see it, in a file that needs no network.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { openRun, type Run, type View } from "./domain/run";
import { scopeText } from "./domain/sentences";
import { Overview } from "./features/run/overview/Overview";
import { RunPages } from "./features/run/RunPages";
import { Router, useRoute, useStartAtTop } from "./app/route";
import { Boundary } from "./components/Boundary";
import "./styles/base.css";

function Report({ run }: { run: Run }) {
  const { path } = useRoute();
  useStartAtTop();
  return (
    <RunPages
      run={run}
      base=""
      path={path}
      overview={<Overview />}
      account={<span className="soft">{scopeText(run)}</span>}
    />
  );
}

const root = document.getElementById("root");
const view = document.getElementById("view")?.textContent;
if (root && view)
  createRoot(root).render(
    <StrictMode>
      <Boundary>
        <Router kind="hash">
          <Report run={openRun(JSON.parse(view) as View)} />
        </Router>
      </Boundary>
    </StrictMode>,
  );
