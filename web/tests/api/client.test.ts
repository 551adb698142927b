// @vitest-environment jsdom
import { expect, it, vi } from "vitest";

import { addressOf, get, post, put } from "../../src/api/client";
import { SIGNED_OUT } from "../../src/api/errors";
import { serve } from "../support/server";

it("sends the header of changes with changes only", async () => {
  const calls = serve({ "GET me": () => ({ body: {} }), "POST leave": () => ({ status: 204 }) });
  await get("/api/me", {});
  await post("/api/leave", {});
  expect(calls.map(({ headers }) => headers.get("X-Unround"))).toEqual([null, "1"]);
});

it("throws refusals with their status, sentence and waiting time", async () => {
  const headers = { "Retry-After": "7" };
  serve({ "GET me": () => ({ status: 503, body: { detail: "busy" }, headers }) });
  const refused = { status: 503, message: "busy", retryAfter: 7 };
  await expect(get("/api/me", {})).rejects.toMatchObject(refused);
});

it("says so when the server cannot be reached or sends no sentence", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed")));
  await expect(get("/api/me", {})).rejects.toMatchObject({
    status: 0,
    message: "The server cannot be reached. Check your connection and try again.",
  });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("<html>", { status: 502 })));
  await expect(get("/api/me", {})).rejects.toMatchObject({ message: "The server answered 502." });
});

it("tells the window of a 401, but not of a wrong secret", async () => {
  const left = vi.fn();
  window.addEventListener(SIGNED_OUT, left);
  const refused = () => ({ status: 401, body: { detail: "no" } });
  serve({ "GET me": refused, "POST enter": refused });
  await expect(post("/api/enter", {}, { secret: "x" })).rejects.toThrow("no");
  expect(left).not.toHaveBeenCalled();
  await expect(get("/api/me", {})).rejects.toThrow("no");
  expect(left).toHaveBeenCalledOnce();
  window.removeEventListener(SIGNED_OUT, left);
});

it("passes an abort on", async () => {
  vi.stubGlobal("fetch", (request: Request) => {
    request.signal.throwIfAborted();
    return Promise.reject(new Error("not aborted"));
  });
  const signal = AbortSignal.abort();
  await expect(get("/api/me", {}, { signal })).rejects.toMatchObject({ name: "AbortError" });
});

it("writes addresses with their parameters escaped", () => {
  const address = addressOf("/api/runs/{run}/report.html", { run: "a/b", as: "c d" });
  expect(address).toBe("/api/runs/a%2Fb/report.html?as=c+d");
});

it("has the browser complete a request of a page that is left, unless it is too large", async () => {
  const calls = serve({ "PUT conferences/c/papers/note": () => ({ body: {} }) });
  const save = (note: string) =>
    put(
      "/api/conferences/{conference}/papers/note",
      { conference: "c" },
      { paper: "7", note, before: "" },
      { leaving: true },
    );
  await save("x".repeat(50_000));
  await save("文".repeat(50_000)); // browsers refuse more than 64 KiB
  expect(calls.map(({ keepalive }) => keepalive)).toEqual([true, false]);
});
