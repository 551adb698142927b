// The console's first line: the pages served by `unround serve`.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { Console } from "./pages/console/Console";
import { Router } from "./state/route";
import "./styles/base.css";

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <Router kind="browser">
        <Console />
      </Router>
    </StrictMode>,
  );
