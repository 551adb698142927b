import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { openConsole } from "../../support/console";
import { CHAIR, CHECK, CONFERENCE, FILE, serve, type Call } from "../../support/server";

const HOME = `conferences/${CONFERENCE.id}`;
const REFUSED = {
  ...CHECK,
  ready: false,
  issue_counts: [{ kind: "contradiction", count: 3, advice: "ask" }],
  issues: [{ kind: "contradiction", message: "r1 ranks 2 above 1", where: ["line 4"], action: "" }],
};

function open(
  check: (call: Call) => unknown,
  query = "",
  more: Parameters<typeof serve>[0] = {},
): Call[] {
  const calls = serve({
    ...more,
    "GET me": () => ({ body: CHAIR }),
    [`GET ${HOME}`]: () => ({ body: { ...CONFERENCE, files: [FILE] } }),
    [`POST ${HOME}/checks`]: (call) => ({ status: 202, body: check(call) }),
    [`POST ${HOME}/runs`]: () => ({ status: 202, body: {} }),
  });
  openConsole(`/c/${CONFERENCE.id}${query}`);
  return calls;
}
it("shows the scale in use, and whom to ask about contradictions", async () => {
  open(() => ({
    ...REFUSED,
    contradictions: {
      reviewers: 1,
      contradictions: 3,
      fewest_changes: 1,
      lines: [
        {
          reviewer: "r1",
          reviewer_name: null,
          email: null,
          contradictions: 3,
          fewest_changes: 1,
          sentence: "",
        },
      ],
    },
  }));
  expect((await screen.findByText(/^Scale 1/)).textContent).toBe(
    "Scale 1–3 (inferred from the scores)",
  );
  expect(
    screen.getByText(
      "1 reviewer ranks against their own scores. Choose what counts below, or ask them first.",
    ),
  ).toBeTruthy();
  const section = screen.getByRole("region", { name: "Reviewers to ask" });
  expect(within(section).getByText(/1 reviewer, 3 contradictions/).textContent).toContain(
    "1 change would settle them all",
  );
  expect(within(section).getByRole("link").getAttribute("href")).toBe(
    `/api/checks/${CHECK.id}/contradictions.csv`,
  );
});
it("asks for duplicates, ids and an encoding as chosen", async () => {
  const calls = open(() => CHECK);
  await userEvent.click(await screen.findByText("How to read the files"));
  await userEvent.selectOptions(screen.getByLabelText("Duplicates"), "Their mean counts");
  await userEvent.selectOptions(screen.getByLabelText("Match ids"), "Take ids as they are written");
  await userEvent.type(screen.getByLabelText("Encoding"), "cp1252{Enter}");
  await waitFor(() =>
    expect(calls.at(-1)?.body).toMatchObject({
      reading: { duplicates: "mean", match_ids: "never", encoding: "cp1252" },
    }),
  );
});
const policyOf = (call: Call | undefined) =>
  (call?.body as { method: { conflicts: string } } | undefined)?.method.conflicts;

it("refuses, with the reason, until the chair chooses what rules; then runs with that", async () => {
  const calls = open((call) => (policyOf(call) === "refuse" ? REFUSED : CHECK));
  await screen.findByText(/3 issues to settle before you can run/);
  const run = screen.getByRole<HTMLButtonElement>("button", { name: "Run" });
  expect(run.disabled).toBe(true);
  const issues = screen.getByRole("table", { name: "Issues by kind" });
  expect(within(issues).getByText("Ranking contradicts scores")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Download all as CSV" }).getAttribute("href")).toBe(
    `/api/checks/${CHECK.id}/issues.csv`,
  );

  await userEvent.click(screen.getByRole("radio", { name: "Trust the scores" }));
  expect(window.location.search).toBe("?conflicts=scores");
  await waitFor(() => expect(run.disabled).toBe(false));
  await userEvent.clear(screen.getByRole("textbox", { name: "Name of the run" }));
  expect(run.disabled).toBe(true);
  await userEvent.type(screen.getByRole("textbox", { name: "Name of the run" }), "First");
  await userEvent.click(run);
  await screen.findByRole("heading", { name: "Runs" });
  // The list of runs is asked for anew: the one that the import page had is without the new run.
  await waitFor(() => expect(calls.filter(({ path }) => path === HOME)).toHaveLength(2));
  expect(calls.find(({ path }) => path === `${HOME}/runs`)?.body).toMatchObject({
    name: "First",
    lam: "auto+",
    files: [FILE.id],
    method: { conflicts: "scores" },
  });
});

it("opens the mapping when the files could not be read, and checks again with it", async () => {
  const unread = { ...CHECK, status: "failed", reason: "no column for the score", ready: false };
  const calls = open((call) => {
    const { columns } = (call.body as { reading: { columns: Record<string, string> } }).reading;
    return columns["score"] === "Mark" ? CHECK : unread;
  });
  expect((await screen.findByRole("alert")).textContent).toBe("no column for the score");
  await userEvent.type(await screen.findByRole("combobox", { name: "Score" }), "Mark{Enter}");
  await screen.findByText("Ready to run");
  expect(calls.filter(({ path }) => path === `${HOME}/checks`)).toHaveLength(2);
});

it("keeps choices over a reload, and does not ask the server about nonsense", async () => {
  const calls = open(() => CHECK, "?lam=abc&epsilon=0.2");
  expect(await screen.findAllByText("λ is a number above 0.")).toHaveLength(2);
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Smallest gap ε" }).value).toBe(
    "0.2",
  );
  expect(calls.map(({ path }) => path)).not.toContain(`${HOME}/checks`);
});

it("leaves out a file that is not ticked", async () => {
  open(() => CHECK);
  await screen.findByText("Ready to run");
  await userEvent.click(screen.getByRole("checkbox", { name: "Use reviews.csv" }));
  await screen.findByText("Add files or tick some first.");
  expect(window.location.search).toBe(`?without=${FILE.id}`);
});

it("cancels a check that takes long, and checks again", async () => {
  const cancel = `POST checks/${CHECK.id}/cancel`;
  let status = "running";
  const state = () => ({
    ...CHECK,
    status,
    ready: false,
    reason: status === "running" ? null : "The check was cancelled.",
  });
  const calls = open(state, "", {
    [`GET checks/${CHECK.id}`]: () => ({ body: state() }),
    [cancel]: () => {
      status = "cancelled";
      return { body: state() };
    },
  });
  await userEvent.click(
    await screen.findByRole("button", { name: "Cancel check" }, { timeout: 5000 }),
  );
  expect(await screen.findByText("The check was cancelled.", {}, { timeout: 5000 })).toBeTruthy();
  status = "running";
  await userEvent.click(screen.getByRole("button", { name: "Check again" }));
  await waitFor(() =>
    expect(calls.filter(({ path }) => path === `${HOME}/checks`)).toHaveLength(2),
  );
});
