import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import { axe } from "../../support/axe";
import { sampleRun, sampleView } from "../../support/sample";
import { addressNow, openAt } from "../../support/setup";

const region = (name: string) => screen.getByRole("region", { name });

/** A part of the page that is folded on the screen. */
function fold(title: string): HTMLElement {
  const found = screen.getByRole("heading", { name: title }).closest("details");
  if (!found) throw new Error(`${title} is not folded`);
  return found;
}

test("a line typed here becomes the headline", async () => {
  const user = userEvent.setup();
  openAt("/overview");
  await user.type(screen.getByRole("textbox", { name: "Accept" }), "2");
  expect(addressNow()).toBe("/overview?accept=2");
  expect(
    screen.getByText(
      "2 in: 1 as before, 1 of the 2 that were tied for the last place; none drops out.",
    ),
  ).toBeTruthy();
  expect(screen.getByText("Of 4 papers, compared with plain means.")).toBeTruthy();
});

test("how sure: the chance by place in words, and papers too close to call", () => {
  const shares = {
    start: [0, 2, 4, 6, 8],
    place: [1, 4, 1, 4, 1, 4, 1, 4],
    thousandths: [500, 1000, 500, 1000, 0, 1000, 1000, 1000],
  };
  const one = [1, 1, 1, 1];
  const uncertainty = {
    ...{ interval: 0.9, draws: 100, rhat: 1, effective: 90, mean: one, low: one, high: one },
    ...{ place: one, place_low: one, place_high: [2, 2, 4, 2], among_all: shares },
    within_track: null,
  };
  const estimates = { missing: "", uncertainty, calibration: null, stability: null };
  openAt("/overview?accept=1", sampleRun({ estimates }));
  expect(
    within(region("How sure")).getByRole("img", {
      name: "Chance of being in, by place. 2 papers, placed 3 to 4, have a chance of 10% to 90%.",
    }),
  ).toBeTruthy();
  expect(screen.getByText(/For 2 papers the reviews cannot decide\.$/)).toBeTruthy();
});

test("whether other reviewers predict rankings, where the viewer may know", () => {
  const title = "What the data say";
  openAt("/overview", sampleRun({ diagnostics: ["Of 47 pairs, 69.1% agree."] }));
  expect(fold(title).textContent).toContain("69.1% agree.");
  cleanup();
  openAt("/overview");
  expect(screen.queryByRole("heading", { name: title })).toBeNull();
});

test("how to read the page, without words on what this run does not know", () => {
  openAt("/overview");
  const reading = screen.getByRole("heading", { name: "Reading this page" }).closest("details");
  expect(reading?.open).toBe(false);
  expect(reading?.textContent).toMatch(/broken by rankings and other reviews, never by chance/);
  expect(reading?.textContent).not.toMatch(/In\?/);
});

test("the record is folded, and open on paper", () => {
  openAt("/overview");
  const record = fold("Files, method, proof");
  expect((record as HTMLDetailsElement).open).toBe(false);
  fireEvent(window, new Event("beforeprint"));
  expect((record as HTMLDetailsElement).open).toBe(true);
  fireEvent(window, new Event("afterprint"));
  expect((record as HTMLDetailsElement).open).toBe(false);
});

test("the certificate in plain words, rounded up", () => {
  openAt("/overview");
  expect(
    within(region("Certificate")).getByText(
      "Checked: no score is off by more than 4e-10. Computed from the finished scores alone, without trusting the solver.",
    ),
  ).toBeTruthy();
});

test("scores outside their rounding range are counted where rankings are trusted", () => {
  openAt("/overview");
  expect(region("Certificate").textContent).toMatch(/Every score lies in its rounding range\./);
  const around = () => region("Where new scores lie around the given one").textContent;
  expect(around()).toMatch(/All lie inside its rounding range/);
  cleanup();
  const { reviews } = sampleView();
  const dequantized = reviews.dequantized.map((value, review) => (review < 2 ? 4.2 : value));
  const upper = reviews.upper.map((end, review) => (review < 2 ? 4.2 : end)); // cells opened
  openAt("/overview", sampleRun({ reviews: { ...reviews, dequantized, upper } }));
  expect(region("Certificate").textContent).toMatch(
    /2 of 9 scores lie outside the rounding range of the given score, all others inside it\./,
  );
  expect(around()).toMatch(/2 lie outside the rounding range, because the rankings were trusted/);
});

test("the scale in use and where it came from", () => {
  openAt("/overview");
  expect(
    within(region("Settings")).getByText("1, 2, 3, 4, 5 (inferred from the scores)"),
  ).toBeTruthy();
});

test("how λ was chosen, and the errors of those that were tried", () => {
  openAt("/overview");
  const lambda = region("How far scores follow the other reviewers (λ)");
  expect(
    within(lambda).getByText(
      /^λ = 2, chosen by quantization validation: of 3 values tried, this one/,
    ),
  ).toBeTruthy();
  expect(
    within(lambda).getByText("Errors: 0.4 at λ = 0.5, 0.2 at λ = 2, 0.3 at λ = 8."),
  ).toBeTruthy();
});

test.each([
  [
    { settings: { ...sampleView().run.settings, lam: "auto+" } },
    /chosen by simulation: of 3 values/,
  ],
  [{ lam: "inf" as const, selection: null }, /^λ = ∞, as the chair chose\.$/], // without a curve
])("λ as it was set: %j", (changes, text) => {
  openAt("/overview", sampleRun({ run: { ...sampleView().run, ...changes } }));
  expect(screen.getByText(text)).toBeTruthy();
});

test("groups of reviewers that share no paper are named beside the chances", () => {
  openAt("/overview", sampleRun({ groups: "Reviewers fall into 5 groups that share no paper." }));
  expect(within(region("How sure")).getByRole("note").textContent).toMatch(/5 groups/);
});

test("the largest moves first, with their parts and a link", () => {
  openAt("/overview?sort=paper");
  const rows = within(screen.getByRole("table", { name: "Table of the largest moves" }))
    .getAllByRole("row")
    .slice(1);
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
  const issues = fold("Issues");
  expect(within(issues).getByText("1 case")).toBeTruthy();
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
