import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { openConsole } from "../../support/console";
import { CHAIR, CHECK, CONFERENCE, FILE, serve, type Call } from "../../support/server";

const HOME = `conferences/${CONFERENCE.id}`;
const NEW = { ...FILE, id: "a".repeat(32) };

function open(hosts: string[], answer: object = {}): Call[] {
  const calls = serve({
    "GET me": () => ({ body: CHAIR }),
    [`GET ${HOME}`]: () => ({
      body: { ...CONFERENCE, files: [FILE, NEW], system_hosts: hosts },
    }),
    [`POST ${HOME}/checks`]: () => ({ status: 202, body: CHECK }),
    [`POST ${HOME}/fetch`]: () => ({ status: 201, body: answer }),
  });
  openConsole(`/c/${CONFERENCE.id}`);
  return calls;
}

it("says how to allow a host where the server may contact none", async () => {
  open([]);
  await userEvent.click(await screen.findByText(/fetch them from a running HotCRP or pretalx/));
  expect(screen.getByText("unround serve --system-host HOST")).toBeTruthy();
  expect(screen.queryByLabelText("Token")).toBeNull();
});

it("fetches once, forgets the token, and no longer uses the earlier copies", async () => {
  const calls = open(["conf.example.org"], {
    files: [NEW],
    earlier: [FILE],
    notes: ["conf.example.org: nobody has ranked papers yet"],
  });
  await userEvent.click(await screen.findByText(/fetch them from a running/));
  await userEvent.click(screen.getByRole("radio", { name: "pretalx" }));
  await userEvent.type(screen.getByLabelText("Address"), " https://conf.example.org/c ");
  const token = screen.getByLabelText<HTMLInputElement>("Token");
  expect(token.type).toBe("password");
  await userEvent.type(token, "secret");
  await userEvent.click(screen.getByRole("button", { name: "Fetch" }));
  expect(await screen.findByText(/nobody has ranked papers yet/)).toBeTruthy();
  expect(token.value).toBe("");
  const sent = calls.filter((call) => call.path.endsWith("/fetch"));
  expect(sent.map((call) => call.body)).toEqual([
    { system: "pretalx", url: "https://conf.example.org/c", token: "secret" },
  ]);
  await waitFor(() => expect(window.location.search).toBe(`?without=${FILE.id}`));
  expect(JSON.stringify(window.localStorage) + window.location.href).not.toContain("secret");
});
