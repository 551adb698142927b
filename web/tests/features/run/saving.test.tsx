// Changes that the server does not get: they never look saved, and are told until they are.
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import { openConsole } from "../../support/console";
import { orderView, sampleView } from "../../support/sample";
import { CHAIR, CONFERENCE, serve, type Call } from "../../support/server";

const RUN = "a".repeat(32);
const OWN = `conferences/${CONFERENCE.id}`;
const DECIDE = `POST ${OWN}/papers/decisions`;

/** A server of a run with two papers, which cannot be reached while it is `down`. */
function unreliable(answers: Parameters<typeof serve>[0]) {
  const state = { down: false, decision: null as string | null, calls: [] as Call[] };
  const marks = () => ({
    version: 0,
    papers: state.decision ? [{ paper: "2", decision: state.decision, tags: [], note: null }] : [],
  });
  state.calls = serve({
    "GET me": () => ({ body: CHAIR }),
    [`GET runs/${RUN}`]: () => ({ body: { id: RUN, conference: CONFERENCE.id, line: null } }),
    [`GET runs/${RUN}/view`]: () => ({ body: sampleView() }),
    [`GET runs/${RUN}/influence`]: () => ({ body: { audit: null } }),
    [`GET ${OWN}`]: () => ({ body: CONFERENCE }),
    [`GET ${OWN}/papers`]: () => ({ body: marks() }),
    [`GET ${OWN}/recommendations`]: () => ({ body: [] }),
    [`GET ${OWN}/views`]: () => ({ body: [] }),
    [DECIDE]: ({ body }) => {
      state.decision = (body as { decision: string }).decision;
      return { body: { batch: "b", papers: 1, kept: 0 } };
    },
    ...answers,
  });
  const answer = globalThis.fetch;
  vi.stubGlobal("fetch", (request: Request) =>
    state.down ? Promise.reject(new TypeError("Failed to fetch")) : answer(request),
  );
  return state;
}

function open(address: string) {
  openConsole(address);
}

const decide = async (label: string) => {
  await userEvent.click(await screen.findByRole("button", { name: /^Decision on paper 2:/ }));
  await userEvent.click(screen.getByRole("menuitemradio", { name: label }));
};
const cell = () => screen.getByRole("button", { name: /^Decision on paper 2:/ }).textContent;

test("a decision that is not saved is not shown, and is told on every page until it is", async () => {
  const server = unreliable({});
  open(`/r/${RUN}`);
  await decide("Accept");
  await waitFor(() => expect(server.decision).toBe("Accept"));
  await screen.findByText("Paper 2: Accept: 1 paper.");
  server.down = true;
  await decide("Reject");
  const told = await screen.findByRole("alert");
  expect(told.textContent).toContain("Not connected: Reject for 2 is not saved.");
  expect(told.textContent).not.toContain("unround serve");
  expect(cell()).toBe("not saved");
  await userEvent.click(screen.getByRole("link", { name: "Overview" }));
  expect(screen.getByRole("alert").textContent).toContain("Reject for 2");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Reject for 2");
  server.down = false;
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(server.decision).toBe("Reject");
  await userEvent.click(screen.getByRole("link", { name: "Papers" }));
  expect(cell()).toBe("Reject");
});

test("what is given up is as it was; a new decision takes the place of the one before", async () => {
  const server = unreliable({});
  open(`/r/${RUN}`);
  await decide("Accept");
  await screen.findByText("Paper 2: Accept: 1 paper.");
  server.down = true;
  await decide("Reject");
  await screen.findByRole("alert");
  await decide("Discuss");
  await screen.findByText("Not connected: Discuss for 2 is not saved.");
  expect(screen.queryByText(/Reject for 2/)).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Discard" }));
  expect(screen.queryByRole("alert")).toBeNull();
  expect(cell()).toBe("Accept");
});

test("a decision that the server refuses is told in its words", async () => {
  const detail = "Somebody else has decided on 1 of these papers meanwhile (2).";
  unreliable({ [DECIDE]: () => ({ status: 409, body: { detail } }) });
  open(`/r/${RUN}`);
  await decide("Reject");
  const told = await screen.findByRole("alert");
  expect(told.textContent).toContain(`Reject for 2 is not saved. ${detail}`);
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

test("a line that could not be kept is not the line", async () => {
  const server = unreliable({});
  open(`/r/${RUN}?accept=1`);
  const keep = await screen.findByRole("button", { name: "Keep for all chairs" });
  server.down = true;
  await userEvent.click(keep);
  const told = await screen.findByRole("alert");
  expect(told.textContent).toContain("Not connected: the line 1 is not saved.");
  expect(screen.getByText("Trying 1")).toBeTruthy();
});

test("an area chair's recommendation and note that are not saved say so; the text stays", async () => {
  const recommend = vi.fn();
  const server = unreliable({
    "GET me": () => ({
      body: { ...CHAIR, role: "area_chair", name: "Ann", conference: CONFERENCE.id },
    }),
    [`GET runs/${RUN}/view`]: () => ({ body: orderView() }),
    [`GET runs/${RUN}/sides`]: () => ({ body: {} }),
    [`PUT ${OWN}/recommendations`]: ({ body }) => (recommend(body), { status: 204 }),
  });
  open(`/r/${RUN}`);
  const button = await screen.findByRole("button", { name: "Recommendation on paper 7: –" });
  server.down = true;
  await userEvent.click(button);
  await userEvent.click(screen.getByRole("menuitemradio", { name: "Reject" }));
  const told = await screen.findByRole("alert");
  expect(told.textContent).toContain("Not connected: Reject for 7 is not saved.");
  const note = screen.getByRole<HTMLTextAreaElement>("textbox", { name: /on paper 7$/ });
  await userEvent.type(note, "Weak");
  await userEvent.tab();
  await screen.findByText("Not connected: the note on 7 is not saved.");
  expect(note.value).toBe("Weak");
  expect(screen.getByText("Not saved")).toBeTruthy();
  server.down = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(recommend.mock.calls).toEqual([
    [{ paper: "7", value: "Reject" }],
    [{ paper: "7", note: "Weak", before: "" }],
  ]);
});

test("a note that somebody else changed meanwhile is kept beside theirs", async () => {
  let theirs = "";
  const detail = "This note was changed meanwhile.";
  const server = unreliable({
    [`GET ${OWN}/papers`]: () => ({
      body: { version: 0, papers: [{ paper: "2", decision: null, tags: [], note: theirs }] },
    }),
    [`PUT ${OWN}/papers/note`]: ({ body }) => {
      const { note, before } = body as { note: string; before: string };
      if (before !== theirs) return { status: 409, body: { detail } };
      theirs = note;
      return { body: { batch: null, papers: 1, kept: 0 } };
    },
  });
  open(`/r/${RUN}/paper/2`);
  const note = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Note" });
  theirs = "Strong.";
  await userEvent.type(note, "Weak.");
  await userEvent.tab();
  expect(await screen.findByText("Somebody else has written: “Strong.”")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Keep both" }));
  await waitFor(() => expect(theirs).toBe("Strong.\n\nWeak."));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(server.calls.filter(({ method }) => method === "PUT")).toHaveLength(2);
});
