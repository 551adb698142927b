import { useQuery } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { conferenceQuery, QueryProvider } from "../../../src/app/queries";
import { RunProgress } from "../../../src/features/runs/RunProgress";
import { serve } from "../../support/server";

class Stream extends EventTarget {
  static last: Stream | null = null;
  closed = false;
  constructor(readonly address: string) {
    super();
    Stream.last = this;
  }
  close() {
    this.closed = true;
  }
  say(progress: object) {
    act(() => {
      this.dispatchEvent(new MessageEvent("progress", { data: JSON.stringify(progress) }));
    });
  }
}
const RUNNING = { status: "running", stage: "solving", done: 3, total: 10, reason: null };

beforeEach(() => vi.stubGlobal("EventSource", Stream));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** A run whose status the conference tells, as in the list of runs. */
function Row() {
  const conference = useQuery(conferenceQuery("c1"));
  return conference.data?.name === "over" ? "over" : <RunProgress id="r1" name="First" />;
}

function open(status: () => string) {
  const calls = serve({
    "GET conferences/c1": () => ({ body: { name: calls.length > 1 ? "over" : "" } }),
    "GET runs/r1": () => ({ body: { progress: { ...RUNNING, status: status() } } }),
  });
  render(
    <QueryProvider>
      <Row />
    </QueryProvider>,
  );
}

it("follows the stream to the end, then renews the list of runs", async () => {
  open(() => "running");
  await vi.waitFor(() => expect(Stream.last?.address).toBe("/api/runs/r1/events"));
  Stream.last?.say(RUNNING);
  await vi.waitFor(() => expect(screen.getByRole("status").textContent).toBe("Computing scores"));
  const bar = screen.getByRole<HTMLProgressElement>("progressbar", { name: "Progress of First" });
  expect([bar.value, bar.max]).toEqual([3, 10]);
  expect(Stream.last?.closed).toBe(false);
  Stream.last?.say({ ...RUNNING, status: "done" });
  expect(await screen.findByText("over")).toBeTruthy();
  expect(Stream.last?.closed).toBe(true);
});

it("asks instead when the stream breaks", async () => {
  open(() => "failed");
  await screen.findByText("Connecting");
  act(() => void Stream.last?.dispatchEvent(new Event("error")));
  expect(await screen.findByText("over")).toBeTruthy();
});
