import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { openConsole } from "../../support/console";
import { CHAIR, CONFERENCE, serve, type Call } from "../../support/server";

const HOME = `conferences/${CONFERENCE.id}`;
const LINK = {
  id: "1".repeat(32),
  role: "area_chair",
  area_chair: "a".repeat(32),
  label: "",
  created: "2026-05-01T10:00:00Z",
  expires: null,
  revoked: null as string | null,
  opened: null,
};

function open(): Call[] {
  let links: (typeof LINK)[] = [];
  const ada = { id: LINK.area_chair, name: "Ada", email: "ada@example.org", papers: 3 };
  const calls = serve({
    "GET me": () => ({ body: CHAIR }),
    [`GET ${HOME}`]: () => ({ body: CONFERENCE }),
    [`GET ${HOME}/access`]: () => ({
      body: {
        area_chairs: [{ ...ada, links }],
        chair_links: [],
        warnings: ["No run is shared: nobody sees anything."],
        former: null,
      },
    }),
    [`GET ${HOME}/log`]: () => ({ body: [] }),
    [`POST ${HOME}/links`]: () => {
      links = [LINK];
      const made = { ...LINK, url: "http://h/enter#s3cret", name: "Ada", email: null };
      return { status: 201, body: made };
    },
    [`POST links/${LINK.id}/revoke`]: () => {
      links = [{ ...LINK, revoked: "2026-05-02T10:00:00Z" }];
      return { body: links[0] };
    },
  });
  openConsole(`/c/${CONFERENCE.id}/access`);
  return calls;
}

it("shows a new link once, and revokes it only after asking", async () => {
  const calls = open();
  await userEvent.click(await screen.findByRole("button", { name: "Make link for Ada" }));
  const shown = await screen.findByRole("dialog", { name: "Link for Ada" });
  expect(within(shown).getByRole<HTMLInputElement>("textbox", { name: "Link" }).value).toBe(
    "http://h/enter#s3cret",
  );
  expect(calls.find(({ method }) => method === "POST")?.body).toEqual({
    area_chair: LINK.area_chair,
    days: 30,
    label: "",
    existing: "refuse",
  });
  expect(within(shown).getByText(/No run is shared/)).toBeTruthy();
  await userEvent.click(within(shown).getByRole("button", { name: "Close" }));
  expect(within(shown).getByRole("alert").textContent).toContain("not copied");
  expect(within(shown).getByRole("textbox", { name: "Link" })).toBeTruthy();
  await userEvent.click(within(shown).getByRole("button", { name: "Close without it" }));
  expect(document.body.innerHTML).not.toContain("s3cret");

  await userEvent.click(await screen.findByRole("button", { name: "Revoke a link of Ada" }));
  const asked = screen.getByRole("dialog", { name: "Revoke this link of Ada?" });
  expect(calls.some(({ path }) => path.endsWith("revoke"))).toBe(false);
  await userEvent.click(within(asked).getByRole("button", { name: "Revoke the link" }));
  expect(await screen.findByText("1 old")).toBeTruthy();
});

it("asks what becomes of a link that works before it makes another", async () => {
  const calls = open();
  await userEvent.click(await screen.findByRole("button", { name: "Make link for Ada" }));
  const shown = await screen.findByRole("dialog", { name: "Link for Ada" });
  await userEvent.click(within(shown).getByRole("button", { name: "Close" }));
  await userEvent.click(within(shown).getByRole("button", { name: "Close without it" }));
  await userEvent.click(await screen.findByRole("button", { name: "Make link for Ada" }));
  const asked = await screen.findByRole("dialog", { name: "Ada has a link already" });
  expect(calls.filter(({ method }) => method === "POST").length).toBe(1);
  await userEvent.click(within(asked).getByRole("button", { name: "Replace it" }));
  await screen.findByRole("dialog", { name: "Link for Ada" });
  expect(calls.filter(({ method }) => method === "POST")[1]?.body).toMatchObject({
    existing: "replace",
  });
});

it("keeps new links in sight when the browser closes their dialog by itself", async () => {
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Make link for Ada" }));
  const shown = await screen.findByRole<HTMLDialogElement>("dialog", { name: "Link for Ada" });
  shown.close();
  fireEvent(shown, new Event("close"));
  expect(shown.open).toBe(true);
  expect(within(shown).getByRole("alert").textContent).toContain("not copied");
});
