import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { QueryProvider, useGet } from "../../../src/app/queries";
import { RunProgress } from "../../../src/features/runs/RunDetails";
import { serve } from "../../support/server";

const RUNNING = { status: "running", stage: "solving", done: 3, total: 10, reason: null };

/** A run whose status the conference tells, as in the list of runs. */
function Row() {
  const conference = useGet("/api/conferences/{conference}", { conference: "c1" });
  return conference.data?.name === "over" ? "over" : <RunProgress id="r1" name="First" />;
}

function open(status: () => string) {
  serve({
    "GET conferences/c1": () => ({ body: { name: status() === "done" ? "over" : "" } }),
    "GET runs/r1": () => ({ body: { progress: { ...RUNNING, status: status() } } }),
  });
  render(
    <QueryProvider>
      <Row />
    </QueryProvider>,
  );
}

it("asks until the run has ended, then renews the list of runs", async () => {
  let status = "running";
  open(() => status);
  await vi.waitFor(() => expect(screen.getByRole("status").textContent).toBe("Computing scores"));
  const bar = screen.getByRole<HTMLProgressElement>("progressbar", { name: "Progress of First" });
  expect([bar.value, bar.max]).toEqual([3, 10]);
  status = "done";
  expect(await screen.findByText("over", {}, { timeout: 10_000 })).toBeTruthy();
});
