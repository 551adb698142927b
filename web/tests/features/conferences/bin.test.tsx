import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { openConsole } from "../../support/console";
import { CHAIR, CONFERENCE, serve } from "../../support/server";

it("names what goes with a conference, and restores it from the bin", async () => {
  let deleted = false;
  const calls = serve({
    "GET me": () => ({ body: CHAIR }),
    "GET conferences": () => ({ body: deleted ? [] : [{ ...CONFERENCE, runs: 2 }] }),
    [`GET conferences/${CONFERENCE.id}/contents`]: () => ({
      body: { runs: 2, decisions: 340, notes: 1, ballots: 0 },
    }),
    [`DELETE conferences/${CONFERENCE.id}`]: () => {
      deleted = true;
      return { status: 204 };
    },
    "GET bin": () => ({
      body: deleted
        ? [
            {
              id: CONFERENCE.id,
              name: CONFERENCE.name,
              deleted: "2026-05-01T10:00:00Z",
              who: "owner",
              goes: "2026-05-31T10:00:00Z",
            },
          ]
        : [],
    }),
    [`POST bin/${CONFERENCE.id}/restore`]: () => {
      deleted = false;
      return { status: 204 };
    },
  });
  openConsole("/");
  await userEvent.click(await screen.findByRole("button", { name: "Delete Testing Days" }));
  const dialog = within(screen.getByRole("dialog", { name: "Delete Testing Days?" }));
  await dialog.findByText(/With it go 2 runs, 340 decisions and 1 note\./);
  dialog.getByText(/For 30 days the owner of this server can restore it/);
  await userEvent.click(dialog.getByRole("button", { name: "Delete" }));
  await userEvent.click(await screen.findByRole("button", { name: "Restore Testing Days" }));
  await screen.findByRole("link", { name: "Testing Days" });
  expect(calls.filter(({ method }) => method !== "GET")).toHaveLength(2);
});
