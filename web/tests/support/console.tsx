// The console at an address, before a fake server.
import { render } from "@testing-library/react";

import { Router } from "../../src/app/route";
import { ConsoleApp } from "../../src/console";

export function openConsole(address: string) {
  window.history.replaceState(null, "", address);
  render(
    <Router kind="browser">
      <ConsoleApp />
    </Router>,
  );
}
