// The entry point of the console that `unround serve` serves.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

// First: later sheets override it.
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
