import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { giveScreen } from "../../support/setup";
import { CHAIR, CONFERENCE, serve } from "../../support/server";
import { runOf } from "../../support/view";

const OVERVIEW = "../../../src/features/run/overview/Overview";
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
  const { ConsoleApp } = await import("../../../src/console");
  const { Router } = await import("../../../src/app/route");
  render(
    <Router kind="browser">
      <ConsoleApp />
    </Router>,
  );
}

it("comes when it is opened", async () => {
  await open();
  expect(await screen.findByRole("region", { name: "Largest changes of place" })).toBeTruthy();
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
