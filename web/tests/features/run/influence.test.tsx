import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Router } from "../../../src/app/route";
import { ConsoleApp } from "../../../src/console";
import { giveScreen } from "../../support/setup";
import { CHAIR, CONFERENCE, serve } from "../../support/server";
import { runOf } from "../../support/view";

const RUN = "a".repeat(32);
const AUDIT = { reviewers: 2, tried: 2, above: 1, turning: 21.84, plain_turning: 8.4, worst: [] };

beforeEach(giveScreen);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("how much one reviewer could swing is measured without being asked for", async () => {
  let asked = 0;
  serve({
    "GET me": () => ({ body: CHAIR }),
    [`GET runs/${RUN}`]: () => ({ body: { id: RUN, conference: CONFERENCE.id, line: null } }),
    [`GET runs/${RUN}/view`]: () => ({ body: runOf({ 1: [1, 2], 2: [2, 3] }).view }),
    [`GET runs/${RUN}/influence`]: () => ({ body: { audit: asked++ ? AUDIT : null } }),
    [`GET conferences/${CONFERENCE.id}/papers`]: () => ({ body: { version: 0, papers: [] } }),
    [`GET conferences/${CONFERENCE.id}/views`]: () => ({ body: [] }),
  });
  window.history.replaceState(null, "", `/r/${RUN}/overview`);
  render(
    <Router kind="browser">
      <ConsoleApp />
    </Router>,
  );
  expect(await screen.findByText(/^Measuring how much one reviewer/)).toBeTruthy();
  const sentence = await screen.findByText(/^One reviewer alone could take/);
  expect(sentence.textContent).toBe(
    "One reviewer alone could take 21.8% of the papers they read across the line at 1 (plain means: 8.4%).",
  );
  expect(screen.getByRole("heading", { name: "How much one reviewer could swing" })).toBeTruthy();
});
