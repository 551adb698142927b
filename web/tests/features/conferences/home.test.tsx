// Where the start page leads those who have one conference.
import { waitFor } from "@testing-library/react";
import { expect, it } from "vitest";

import { openConsole } from "../../support/console";
import { CHAIR, CONFERENCE, serve } from "../../support/server";

const RUN = "a".repeat(32);
const AREA_CHAIR = { ...CHAIR, role: "area_chair", name: "Ann", conference: CONFERENCE.id };
const never = () => ({ status: 404, body: { detail: "not here" } });

it.each([
  ["an area chair to the newest run", { ...AREA_CHAIR, home: RUN }, `/r/${RUN}`],
  ["an area chair without a run", AREA_CHAIR, `/c/${CONFERENCE.id}/runs`],
  ["a chair", { ...CHAIR, conference: CONFERENCE.id }, `/c/${CONFERENCE.id}`],
])("%s", async (_, me, address) => {
  const calls = serve({
    "GET me": () => ({ body: me }),
    [`GET runs/${RUN}/view`]: never,
    [`GET conferences/${CONFERENCE.id}`]: never,
  });
  openConsole("/");
  await waitFor(() => expect(window.location.pathname).toBe(address));
  await waitFor(() => expect(calls).toHaveLength(2)); // who it is, and the page's own data
});
