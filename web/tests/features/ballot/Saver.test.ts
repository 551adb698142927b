// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { RequestError } from "../../../src/api/errors";
import { DraftStore, type Save } from "../../../src/features/ballot/drafts";
import { Saver, type SaveState } from "../../../src/features/ballot/Saver";
import type { Ballot } from "../../../src/features/ballot/useBallot";
import { ballot, content } from "../../support/ballot";

class Server {
  versions: Save[] = [];
  offline = false;
  loseAnswers = false; // saves arrive, answers do not
  closed = false;

  get now(): Ballot {
    const last = this.versions.at(-1);
    return ballot({ version: this.versions.length, ...(last ? { content: last.content } : {}) });
  }
  send = async (save: Save): Promise<Ballot> => {
    if (this.offline) throw new RequestError(0, "no network");
    if (this.closed) throw new RequestError(423, "The deadline has passed.");
    if (!this.versions.some(({ save_id }) => save_id === save.save_id)) {
      if (save.base_version !== this.versions.length) throw new RequestError(409, "newer");
      this.versions.push(save);
    }
    if (this.loseAnswers) throw new RequestError(0, "no network");
    return this.now;
  };
  load = async () => this.now;
}

const order = (...papers: string[]) => content({ groups: papers.map((paper) => [paper]) });

function tab(server: Server, name: string) {
  const states: SaveState[] = [];
  const drafts = new DraftStore("ballot", window.localStorage, name);
  const saver = new Saver(server.now.version, server, drafts);
  saver.start(
    (state) => states.push(state),
    () => {},
  );
  return { saver, state: () => states.at(-1) };
}

beforeEach(() => {
  vi.useFakeTimers();
  window.localStorage.clear();
});
afterEach(() => vi.useRealTimers());

it("saves the last of several quick changes, once", async () => {
  const server = new Server();
  const { saver, state } = tab(server, "a");
  saver.change(order("1"));
  saver.change(order("1", "2"));
  await vi.runAllTimersAsync();
  expect(server.versions.map((save) => save.content.groups)).toEqual([[["1"], ["2"]]]);
  expect(state()).toEqual({ kind: "saved" });
  expect(window.localStorage.length).toBe(0);
});

it("keeps changes on the device while there is no connection, and sends them after", async () => {
  const server = new Server();
  server.offline = true;
  const { saver, state } = tab(server, "a");
  saver.change(order("1"));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(state()).toEqual({ kind: "offline", stored: true });
  expect(window.localStorage.length).toBe(1);
  saver.change(order("2"));
  await vi.advanceTimersByTimeAsync(60_000);
  server.offline = false;
  saver.flush(); // the browser says that it is online
  await vi.advanceTimersByTimeAsync(0);
  expect(server.versions.at(-1)?.content).toEqual(order("2"));
  expect(state()).toEqual({ kind: "saved" });
});

it("takes over in the next tab what a closed one has not sent", async () => {
  const server = new Server();
  server.offline = true;
  const first = tab(server, "a");
  first.saver.change(order("1"));
  await vi.advanceTimersByTimeAsync(5_000);
  first.saver.end();
  server.offline = false;
  const second = tab(server, "b");
  expect(second.saver.unsaved).toEqual(order("1"));
  await vi.runAllTimersAsync();
  expect(server.versions.length).toBe(1);
  expect(window.localStorage.length).toBe(0);
});

it("makes one version of a save whose answer was lost, and asks nobody", async () => {
  const server = new Server();
  server.loseAnswers = true;
  const { saver, state } = tab(server, "a");
  saver.change(order("1"));
  await vi.advanceTimersByTimeAsync(600);
  saver.change(order("2"));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(server.versions.length).toBe(1);
  server.loseAnswers = false;
  await vi.runAllTimersAsync();
  expect(server.versions.map((save) => save.content)).toEqual([order("1"), order("2")]);
  expect(state()).toEqual({ kind: "saved" });
});

it.each(["mine", "theirs"] as const)("asks which of two versions counts: %s", async (which) => {
  const server = new Server();
  const [one, two] = [tab(server, "a"), tab(server, "b")];
  one.saver.change(order("1"));
  await vi.runAllTimersAsync();
  two.saver.change(order("2"));
  await vi.runAllTimersAsync();
  expect(server.versions.length).toBe(1);
  const asked = two.state();
  if (asked?.kind !== "conflict") throw new Error(`no conflict: ${asked?.kind}`);
  expect(asked.theirs.content).toEqual(order("1"));
  expect(asked.mine).toEqual(order("2"));
  two.saver.settle(asked.theirs, which === "mine" ? asked.mine : null);
  await vi.runAllTimersAsync();
  expect(server.now.content).toEqual(which === "mine" ? order("2") : order("1"));
  expect(two.state()).toEqual({ kind: "saved" });
  expect(window.localStorage.length).toBe(0);
});

it("says that the deadline has passed and tries no more", async () => {
  const server = new Server();
  server.closed = true;
  const { saver, state } = tab(server, "a");
  saver.change(order("1"));
  await vi.runAllTimersAsync();
  expect(state()).toEqual({ kind: "closed", words: "The deadline has passed." });
  expect(vi.getTimerCount()).toBe(0);
});

it("says where the browser keeps nothing", async () => {
  const server = new Server();
  server.offline = true;
  const full = {
    ...window.localStorage,
    setItem: () => {
      throw new Error("full");
    },
  };
  const states: SaveState[] = [];
  const drafts = new DraftStore("ballot", full as unknown as Storage, "a");
  const saver = new Saver(0, server, drafts);
  saver.start(
    (state) => states.push(state),
    () => {},
  );
  saver.change(order("1"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(states.at(-1)).toEqual({ kind: "offline", stored: false });
});
