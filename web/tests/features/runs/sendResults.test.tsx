// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { QueryProvider } from "../../../src/app/queries";
import { ExportDialog } from "../../../src/features/runs/ExportDialog";
import type { SendRequest } from "../../../src/api/types";
import { giveDialogs } from "../../support/dialogs";
import { serve } from "../../support/server";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

beforeEach(giveDialogs);

it("sends only what was shown before", async () => {
  const calls = serve({
    "POST runs/r/send": ({ body }) => ({
      body: { changes: [(body as SendRequest).dry_run ? "would change: 4 tags" : "changed: 4"] },
    }),
  });
  render(
    <QueryProvider>
      <ExportDialog run="r" onClose={() => undefined} />
    </QueryProvider>,
  );
  await userEvent.click(screen.getByText("Or send it to a running HotCRP"));
  const send = screen.getByRole<HTMLButtonElement>("button", { name: "Send" });
  const show = screen.getByRole("button", { name: "Show what would change" });
  await userEvent.type(screen.getByLabelText("Address"), "https://conf.example.org/c");
  await userEvent.type(screen.getByLabelText("Token"), "secret");
  expect(send.disabled).toBe(true);
  await userEvent.click(show);
  expect(await screen.findByText("would change: 4 tags")).toBeTruthy();
  expect(send.disabled).toBe(false);
  await userEvent.click(screen.getByRole("checkbox", { name: /^Places/ }));
  expect(send.disabled).toBe(true); // something else would be sent than was shown
  await userEvent.click(show);
  await screen.findByText("would change: 4 tags");
  await userEvent.click(send);
  expect(await screen.findByText("changed: 4")).toBeTruthy();
  const dryRuns = calls.map((call) => (call.body as SendRequest).dry_run);
  expect(dryRuns).toEqual([true, true, false]);
  expect(calls[2]?.body).toMatchObject({ include: ["scores", "places"], tag: "dq" });
});
