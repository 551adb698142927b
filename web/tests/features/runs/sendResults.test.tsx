// @vitest-environment jsdom
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { QueryProvider } from "../../../src/app/queries";
import { ExportDialog } from "../../../src/features/runs/ExportDialog";
import type { SendResults } from "../../../src/api/schema";
import { serve } from "../../support/server";

const MARKS = "GET conferences/c/papers";
const marks = (...decisions: (string | null)[]) => ({
  body: {
    version: 0,
    papers: decisions.map((decision, at) => ({
      paper: String(at),
      decision,
      tags: [],
      note: null,
    })),
  },
});

it("decisions that there are go into the file, with their number", async () => {
  serve({ [MARKS]: () => marks("Accept", null, "Reject") });
  render(
    <QueryProvider>
      <ExportDialog run="r" conference="c" onClose={() => undefined} />
    </QueryProvider>,
  );
  const box = await screen.findByRole<HTMLInputElement>("checkbox", { name: /^Decisions \(2\)/ });
  expect(box.checked).toBe(true);
  await userEvent.click(box);
  expect(box.checked).toBe(false);
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: /^Scores/ }).checked).toBe(true);
});

it("sends only what was shown before", async () => {
  const calls = serve({
    [MARKS]: () => marks(),
    "POST runs/r/send": ({ body }) => ({
      body: { changes: [(body as SendResults).dry_run ? "would change: 4 tags" : "changed: 4"] },
    }),
  });
  render(
    <QueryProvider>
      <ExportDialog run="r" conference="c" onClose={() => undefined} />
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
  const sent = calls.filter(({ method }) => method === "POST");
  const dryRuns = sent.map((call) => (call.body as SendResults).dry_run);
  expect(dryRuns).toEqual([true, true, false]);
  expect(sent[2]?.body).toMatchObject({ include: ["scores", "places"], tag: "dq" });
});
