// The console's first line: the pages served by `unround serve`.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

// First: what follows may refine it.
import "./styles/base.css";

import { ConsoleApp } from "./ConsoleApp";
import { Router } from "./app/route";

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <Router kind="browser">
        <ConsoleApp />
      </Router>
    </StrictMode>,
  );
