import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { axe } from "../../support/axe";
import { sampleRun, sampleView } from "../../support/sample";
import { giveScreen, openAt } from "../../support/setup";

beforeEach(giveScreen);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const region = (name: string) => screen.getByRole("region", { name });

test("ties before and after", () => {
  openAt("/overview");
  // 2: 1 review, 3: 3, 4: 3, 5: 2, so 0 + 3 + 3 + 1 of 36 pairs; afterwards none.
  expect(screen.getByText("19.4% → 0.0%")).toBeTruthy();
});

test("the certificate in plain words, rounded up", () => {
  openAt("/overview");
  expect(
    within(region("Certificate")).getByText(
      "No score is further than 4e-10 from the exact optimum; this was proven after the solve, without trusting the solver.",
    ),
  ).toBeTruthy();
});

test("the scale in use and where it came from", () => {
  openAt("/overview");
  expect(within(region("Settings")).getByText("1, 2, 3, 4, 5 (told from the scores)")).toBeTruthy();
});

test("how λ was chosen, in words beside the curve", () => {
  openAt("/overview");
  const lambda = region("The weight of the given scores, λ");
  expect(
    within(lambda).getByText(
      /^λ = 2, chosen by validation: the scores were rounded once more, and of 3 values/,
    ),
  ).toBeTruthy();
  expect(
    within(lambda).getByText("Error 0.4 at λ = 0.5, least 0.2 at λ = 2, 0.3 at λ = 8."),
  ).toBeTruthy();
});

test("auto+ is told as simulation", () => {
  const { run } = sampleView();
  const settings = { ...run.settings, lam: "auto+" };
  openAt("/overview", sampleRun({ run: { ...run, settings } }));
  expect(
    screen.getByText(/chosen by simulation: conferences like this one were drawn/),
  ).toBeTruthy();
});

test("a λ that was given, even infinity, has no curve", () => {
  const run = { ...sampleView().run, lam: "inf" as const, selection: null };
  openAt("/overview", sampleRun({ run }));
  expect(screen.getByText("λ = ∞, as the chair chose.")).toBeTruthy();
});

test("the largest moves first, with their parts and a link", () => {
  openAt("/overview?sort=paper");
  const rows = within(region("Largest moves")).getAllByRole("row").slice(1);
  expect(rows).toHaveLength(7); // two did not move
  expect(
    within(rows[0] as HTMLElement)
      .getAllByRole("cell")
      .map((cell) => cell.textContent),
  ).toEqual(["2", "Zebras", "Reviewer 3", "2", "2.500", "+0.500", "+0.800", "0", "−0.300"]);
  expect(
    within(rows[0] as HTMLElement)
      .getByRole("link")
      .getAttribute("href"),
  ).toBe("#/paper/2?sort=paper");
});

test("issues with their kind, what was done, where, and how many", () => {
  openAt("/overview");
  const issues = region("Issues");
  expect(within(issues).getByText("1 issue found in the input.")).toBeTruthy();
  expect(within(issues).getByText("Ranking contradicts scores")).toBeTruthy();
  expect(within(issues).getByText("comparison set aside")).toBeTruthy();
  expect(within(issues).getByText("reviews.csv, line 3")).toBeTruthy();
});

test("inputs are for chairs", () => {
  openAt("/overview");
  expect(screen.getByText("ab".repeat(32))).toBeTruthy();
  cleanup();
  const viewer = { role: "area_chair", name: "Ann", reviewer_names: false } as const;
  openAt("/overview", sampleRun({ viewer }));
  expect(screen.queryByText("ab".repeat(32))).toBeNull();
});

test("nothing for axe to find", async () => {
  const { container } = openAt("/overview");
  expect(await axe(container)).toEqual([]);
});
