import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, renderHook, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { keepaliveOptions } from "../../../src/api/client";
import { useSaveLine } from "../../../src/features/run/console/chairData";
import { NoteField } from "../../../src/features/run/decisions/PaperDecision";
import { serve } from "../../support/server";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const leave = () => fireEvent(window, new Event("pagehide"));

test("a note is saved when the page is left, once", () => {
  const writeNote = vi.fn().mockResolvedValue(undefined);
  render(<NoteField note="Ask" save={writeNote} />);
  leave();
  expect(writeNote).not.toHaveBeenCalled();
  fireEvent.change(screen.getByRole("textbox", { name: "Note" }), { target: { value: "Ask Bo" } });
  expect(writeNote).not.toHaveBeenCalled();
  leave();
  leave();
  expect(writeNote.mock.calls).toEqual([["Ask Bo", "Ask"]]);
});

test("the line is saved when the page is left, by a request that outlives it", async () => {
  const calls = serve({ "PATCH runs/r": () => ({ body: {} }) });
  const client = new QueryClient();
  const { result } = renderHook(() => useSaveLine("r"), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  });
  result.current({ amount: 5, percent: false, perTrack: false });
  result.current({ amount: 50, percent: true, perTrack: false });
  leave();
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]).toMatchObject({
    body: { line: { amount: 50, percent: true, per_track: false } },
    keepalive: true,
  });
});

test("browsers refuse to keep large requests alive", () => {
  expect(keepaliveOptions({ note: "x".repeat(50_000) })).toEqual({ keepalive: true });
  expect(keepaliveOptions({ note: "文".repeat(50_000) })).toEqual({ keepalive: false });
});
