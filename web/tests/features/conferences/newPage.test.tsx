// The recipe for a new page of the console: one entry among the pages gives it an address and a tab.
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";

import { QueryProvider } from "../../../src/app/queries";
import { Router } from "../../../src/app/route";
import { SignedIn } from "../../../src/app/session";
import {
  ConferenceFrame,
  type ConferencePage,
} from "../../../src/features/conferences/ConferenceFrame";
import { CHAIR, CONFERENCE, serve } from "../../support/server";

const ROOM_SHARES: ConferencePage = {
  path: "room-shares",
  title: "Room shares",
  page: ({ conference }) => <p>Room at {conference.name}</p>,
};
const IMPORT: ConferencePage = { path: "", title: "Import", page: () => null };

it("shows a new page under its tab, with the conference", async () => {
  serve({
    "GET me": () => ({ body: CHAIR }),
    [`GET conferences/${CONFERENCE.id}`]: () => ({ body: CONFERENCE }),
  });
  render(
    <Router kind="browser">
      <QueryProvider>
        <SignedIn>
          <ConferenceFrame id={CONFERENCE.id} page={ROOM_SHARES} pages={[IMPORT, ROOM_SHARES]} />
        </SignedIn>
      </QueryProvider>
    </Router>,
  );
  expect(await screen.findByText("Room at Testing Days")).toBeTruthy();
  const tab = screen.getByRole("link", { name: "Room shares" });
  expect(tab.getAttribute("href")).toBe(`/c/${CONFERENCE.id}/room-shares`);
  expect(tab.getAttribute("aria-current")).toBe("page");
  expect(screen.getByRole("link", { name: "Import" }).getAttribute("aria-current")).toBeNull();
});
