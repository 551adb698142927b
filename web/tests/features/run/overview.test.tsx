import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { axe } from "../../support/axe";
import { sampleRun, sampleView } from "../../support/sample";
import { addressNow, giveScreen, openAt } from "../../support/setup";

beforeEach(giveScreen);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const region = (name: string) => screen.getByRole("region", { name });

test("papers tied before and after, and distinct means", () => {
  openAt("/overview");
  // Given means 3, 3.5, 3.5, 5: two are tied; dequantized none.
  expect(screen.getByText("2 → 0")).toBeTruthy();
  expect(screen.getByText("3 → 4")).toBeTruthy();
});

test("the line, and a part of it that leads to the papers", async () => {
  const user = userEvent.setup();
  openAt("/overview");
  await user.type(screen.getByRole("textbox", { name: "Accept" }), "2");
  expect(addressNow()).toBe("/overview?accept=2");
  await user.click(screen.getByRole("button", { name: "2 tied for 1 place" }));
  expect(addressNow()).toBe("/?accept=2&line=tied");
  expect(screen.getByRole("status").textContent).toBe("2 of 4 papers");
});

test("the largest changes of place with their reasons", () => {
  openAt("/overview");
  const rows = within(region("Largest changes of place")).getAllByRole("row").slice(1);
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole("cell")
        .map((cell) => cell.textContent),
    ),
  ).toEqual([
    [...["7", "apples", "2–3 tied", "3", "↓down ½"], "Al ranks paper 2 over it."],
    ["10", "", "2–3 tied", "2", "↑up ½", "Its reviews pull each other up (by 0.200 on average)."],
  ]);
});

test("whether consensus holds, where the viewer may know", () => {
  openAt("/overview", sampleRun({ consensus: "Of 47 pairs, 69.1% agree." }));
  expect(region("Does consensus hold here?").textContent).toContain("69.1% agree.");
  cleanup();
  openAt("/overview");
  expect(screen.queryByRole("region", { name: "Does consensus hold here?" })).toBeNull();
});

test("how to read the page, without words on what this run does not know", () => {
  openAt("/overview");
  const reading = screen.getByRole("heading", { name: "Reading this page" }).closest("details");
  expect(reading?.open).toBe(false);
  expect(reading?.textContent).toMatch(/broken by rankings and other reviews, never by chance/);
  expect(reading?.textContent).not.toMatch(/P\(accept\)/);
});

test("the record is folded, and open on paper", () => {
  openAt("/overview");
  const record = screen.getByText("For the record").closest("details");
  expect(record?.open).toBe(false);
  fireEvent(window, new Event("beforeprint"));
  expect(record?.open).toBe(true);
  fireEvent(window, new Event("afterprint"));
  expect(record?.open).toBe(false);
});

test("the certificate in plain words, rounded up", () => {
  openAt("/overview");
  expect(
    within(region("Certificate")).getByText(
      "Checked: no score is off by more than 4e-10. Computed from the finished scores alone, without trusting the solver.",
    ),
  ).toBeTruthy();
});

test("scores outside their rounding range are counted where rankings rule", () => {
  openAt("/overview");
  expect(region("Certificate").textContent).toMatch(/Every score lies in its rounding range\./);
  expect(region("Inside a level").textContent).toMatch(/Now they lie inside its rounding range/);
  cleanup();
  const { reviews } = sampleView();
  const dequantized = reviews.dequantized.map((value, review) => (review < 2 ? 4.2 : value));
  const upper = reviews.upper.map((end, review) => (review < 2 ? 4.2 : end)); // cells opened
  openAt("/overview", sampleRun({ reviews: { ...reviews, dequantized, upper } }));
  expect(region("Certificate").textContent).toMatch(
    /2 of 9 scores lie outside the rounding range of the given score, all others inside it\./,
  );
  expect(region("Inside a level").textContent).toMatch(/all but 2 lie inside its rounding range/);
});

test("the scale in use and where it came from", () => {
  openAt("/overview");
  expect(
    within(region("Settings")).getByText("1, 2, 3, 4, 5 (inferred from the scores)"),
  ).toBeTruthy();
});

test("how λ was chosen, in words beside the curve", () => {
  openAt("/overview");
  const lambda = region("How far scores follow the other reviewers (λ)");
  expect(
    within(lambda).getByText(
      /^λ = 2, chosen by quantization validation: of 3 values tried, this one/,
    ),
  ).toBeTruthy();
  expect(
    within(lambda).getByText("Error 0.4 at λ = 0.5, least 0.2 at λ = 2, 0.3 at λ = 8."),
  ).toBeTruthy();
});

test("auto+ is called simulation", () => {
  const { run } = sampleView();
  const settings = { ...run.settings, lam: "auto+" };
  openAt("/overview", sampleRun({ run: { ...run, settings } }));
  expect(screen.getByText(/chosen by simulation: of 3 values tried/)).toBeTruthy();
});

test("a λ that was given, even infinity, has no curve", () => {
  const run = { ...sampleView().run, lam: "inf" as const, selection: null };
  openAt("/overview", sampleRun({ run }));
  expect(screen.getByText("λ = ∞, as the chair chose.")).toBeTruthy();
});

test("the largest moves first, with their parts and a link", () => {
  openAt("/overview?sort=paper");
  const rows = within(region("Reviews that moved most")).getAllByRole("row").slice(1);
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
