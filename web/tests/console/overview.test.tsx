import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { giveScreen } from "../run/setup";
import { CHAIR, CONFERENCE, serve } from "./server";
import { runOf } from "./view";

const OVERVIEW = "../../src/pages/run/overview/Overview";
const RUN = "a".repeat(32);

beforeEach(() => {
  giveScreen();
  vi.resetModules();
});
afterEach(() => {
  cleanup();
  vi.doUnmock(OVERVIEW);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function open() {
  serve({
    "GET me": () => ({ body: CHAIR }),
    [`GET runs/${RUN}`]: () => ({ body: { id: RUN, conference: CONFERENCE.id } }),
    [`GET runs/${RUN}/view`]: () => ({ body: runOf({ 1: [1, 2], 2: [2, 3] }).view }),
  });
  window.history.replaceState(null, "", `/r/${RUN}/overview`);
  // Anew for every test: what was fetched once stays.
  const { Console } = await import("../../src/pages/console/Console");
  const { Router } = await import("../../src/state/route");
  render(
    <Router kind="browser">
      <Console />
    </Router>,
  );
}

it("comes when it is opened", async () => {
  await open();
  expect(await screen.findByRole("region", { name: "Largest moves" })).toBeTruthy();
});

it("that cannot be fetched says so, and the run's other pages stay", async () => {
  vi.doMock(OVERVIEW, () => {
    throw new Error("no network");
  });
  await open();
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("The overview could not be loaded.");
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Papers" })).toBeTruthy();
});
