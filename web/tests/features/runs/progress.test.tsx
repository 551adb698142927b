import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

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

it("follows the stream to the end", () => {
  const ended = vi.fn();
  render(<RunProgress id="r1" name="First" onEnd={ended} />);
  expect(Stream.last?.address).toBe("/api/runs/r1/events");
  Stream.last?.say(RUNNING);
  expect(screen.getByRole("status").textContent).toBe("Computing scores");
  const bar = screen.getByRole<HTMLProgressElement>("progressbar", { name: "Progress of First" });
  expect([bar.value, bar.max]).toEqual([3, 10]);
  expect(ended).not.toHaveBeenCalled();
  Stream.last?.say({ ...RUNNING, status: "done" });
  expect(ended).toHaveBeenCalledOnce();
  expect(Stream.last?.closed).toBe(true);
});

it("asks instead when the stream breaks", async () => {
  const ended = vi.fn();
  serve({ "GET runs/r1": () => ({ body: { progress: { ...RUNNING, status: "failed" } } }) });
  render(<RunProgress id="r1" name="First" onEnd={ended} />);
  await act(async () => {
    Stream.last?.dispatchEvent(new Event("error"));
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
  });
});
