import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { openConsole } from "../../support/console";
import { CHAIR, serve } from "../../support/server";

const open = (address: string) => {
  openConsole(address);
};
const EMPTY = {
  "GET me": () => ({ body: CHAIR }),
  "GET conferences": () => ({ body: [] }),
};

it("takes the secret out of the address before anything else, and goes on", async () => {
  const calls = serve({
    ...EMPTY,
    "POST enter": () => {
      expect(window.location.hash).toBe("");
      return { status: 204 };
    },
  });
  open("/enter#s3cret");
  expect(await screen.findByRole("heading", { name: "Conferences" })).toBeTruthy();
  expect(window.location.href).not.toContain("s3cret");
  expect(calls[0]).toMatchObject({ method: "POST", path: "enter", body: { secret: "s3cret" } });
  expect(calls[0]?.headers.get("X-Unround")).toBe("1");
});

it("sends whoever is not signed in to the entrance, and back to the page asked for", async () => {
  let known = false;
  serve({
    "GET me": () => (known ? { body: CHAIR } : { status: 401, body: { detail: "who?" } }),
    "GET conferences": () => ({ body: [] }),
    "POST enter": () => {
      known = true;
      return { status: 204 };
    },
  });
  open("/nowhere?x=1");
  await screen.findByRole("heading", { name: "Enter" });
  expect(screen.getByText(/you then come back to the page/)).toBeTruthy();
  await userEvent.type(screen.getByRole("textbox", { name: "Link" }), "abc{Enter}");
  await screen.findByRole("heading", { name: "Nothing here" });
  expect(window.location.pathname + window.location.search).toBe("/nowhere?x=1");
});

it("leaves", async () => {
  const calls = serve({ ...EMPTY, "POST leave": () => ({ status: 204 }) });
  open("/");
  await userEvent.click(await screen.findByRole("button", { name: /^Account/ }));
  await userEvent.click(screen.getByRole("button", { name: "Leave" }));
  expect(await screen.findByText(/You have left/)).toBeTruthy();
  expect(calls.map(({ path }) => path)).toContain("leave");
});
