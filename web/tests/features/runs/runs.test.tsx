import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { openConsole } from "../../support/console";
import { CHAIR, CONFERENCE, FILE, serve, type Call } from "../../support/server";

const run = (id: string, changes: object = {}) => ({
  id: id.repeat(32),
  name: `Run ${id}`,
  status: "done",
  created: `2026-05-0${id}T10:00:00Z`,
  finished: `2026-05-0${id}T10:01:00Z`,
  shared: false,
  lam: 4,
  conflicts: "scores",
  ...changes,
});
const HOME = `conferences/${CONFERENCE.id}`;

function open(runs: object[], more: Parameters<typeof serve>[0] = {}): Call[] {
  const calls = serve({
    "GET me": () => ({ body: CHAIR }),
    [`GET ${HOME}`]: () => ({ body: { ...CONFERENCE, runs } }),
    ...more,
  });
  openConsole(`/c/${CONFERENCE.id}/runs`);
  return calls;
}

it("compares the ticked runs, earlier ones first", async () => {
  open([run("1"), run("3"), run("2", { status: "failed" })]);
  await userEvent.click(await screen.findByRole("checkbox", { name: "Compare Run 3" }));
  expect(screen.queryByRole("link", { name: /^Compare/ })).toBeNull();
  await userEvent.click(screen.getByRole("checkbox", { name: "Compare Run 1" }));
  expect(screen.getByRole("link", { name: "Compare 2 runs" }).getAttribute("href")).toBe(
    `/c/${CONFERENCE.id}/compare?runs=${"1".repeat(32)},${"3".repeat(32)}`,
  );
  expect(screen.queryByRole("checkbox", { name: "Compare Run 2" })).toBeNull();
});

it("moves the switch back when the server refuses to share", async () => {
  open([run("1")], {
    [`PATCH runs/${"1".repeat(32)}`]: () => ({ status: 409, body: { detail: "not finished" } }),
  });
  const shared = await screen.findByRole<HTMLInputElement>("switch", { name: /^Share Run 1/ });
  await userEvent.click(shared);
  expect((await screen.findByRole("alert")).textContent).toBe("not finished");
  await waitFor(() => expect(shared.checked).toBe(false));
});

it("shows why the newest run was refused, and leads back to its settings", async () => {
  const id = "1".repeat(32);
  open([run("1", { status: "refused", lam: null })], {
    [`GET runs/${id}`]: () => ({
      body: {
        ...run("1", { status: "refused" }),
        conference: CONFERENCE.id,
        reason: "1 issue in the input",
        progress: { status: "refused", stage: null, done: 0, total: 0, reason: null },
        reading: {
          format: "auto",
          columns: {},
          score_fields: [],
          ranker: null,
          encoding: "",
          duplicates: "refuse",
          match_ids: "certain",
        },
        method: {
          scale: null,
          epsilon: 0.1,
          conflicts: "refuse",
          unranked: "apart",
        },
        lam: "inf",
        uncertainty: false,
        calibrate: false,
        inputs: [FILE],
        issue_counts: [{ kind: "cycle", count: 1, advice: "" }],
        issues: [{ kind: "cycle", message: "a above b above a", where: ["x, line 1"], action: "" }],
        contradictions: {
          reviewers: 2,
          contradictions: 5,
          fewest_changes: 3,
          lines: [
            {
              reviewer: "r1",
              reviewer_name: "Mara",
              email: "mara@example.org",
              contradictions: 4,
              fewest_changes: 2,
              sentence: "",
            },
          ],
        },
      },
    }),
  });
  const issues = await screen.findByRole("table", { name: "Issues by kind" });
  expect(within(issues).getByText("Ranking goes in a circle")).toBeTruthy();
  expect(screen.getByText(/2 reviewers, 5 contradictions/).textContent).toContain("3 changes");
  expect(screen.getByText("mara@example.org")).toBeTruthy();
  expect(screen.getByRole("link", { name: /mail merge/ }).getAttribute("href")).toBe(
    `/api/runs/${id}/contradictions.csv`,
  );
  const again = screen.getByRole("link", { name: "Change settings and run again" });
  expect(again.getAttribute("href")).toBe(`/c/${CONFERENCE.id}?epsilon=0.1&lam=inf&uncertainty=no`);
});
