import { cleanup, screen, within } from "@testing-library/react";
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

test("a paper with its facts, statistics and reviews", () => {
  openAt("/paper/2");
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Paper 2: Zebras");
  expect(screen.getByText("Theory")).toBeTruthy();
  const statistics = screen.getByRole("table", { name: "Statistics before and after" });
  const moved = within(statistics).getByRole("row", { name: /^Moved by/ });
  expect(
    within(moved)
      .getAllByRole("cell")
      .map((cell) => cell.textContent),
  ).toEqual(["+0.500", "−0.200", "+0.171", "+0.214", "−0.700"]);
  expect(screen.getAllByRole("article")).toHaveLength(3);
});

test("a ruler tells in words what it draws", () => {
  openAt("/paper/2");
  const review = screen.getByRole("article", { name: "Al" });
  expect(
    within(review)
      .getByRole("img", { name: /^Given 3/ })
      .getAttribute("aria-label"),
  ).toBe("Given 3; now 3.214; rounding range from 2.5 to 3.5; other reviews now at 3.800, 2.500");
  expect(within(review).getByText(/^Moved up by 0.214/)).toBeTruthy();
});

test("a range that a ranking has widened is called so", () => {
  const view = sampleView();
  view.reviews.upper[0] = 3.9;
  openAt("/paper/2", sampleRun({ reviews: view.reviews }));
  const review = screen.getByRole("article", { name: "Al" });
  const ruler = within(review).getByRole("img", { name: /^Given 3/ });
  expect(ruler.getAttribute("aria-label")).toContain("widened rounding range from 2.5 to 3.9");
  expect(within(review).getByText(/^Its widened rounding range, enlarged/)).toBeTruthy();
  expect(screen.getByText(/widened where its ranking needs it/)).toBeTruthy();
});

test("the place in a sentence", () => {
  openAt("/paper/10");
  expect(
    screen.getByText(
      /^2nd of 4 by mean; by given scores tied with 1 other for 2–3; now above it, because/,
    ),
  ).toBeTruthy();
});

test("the reviewer's ranking links to papers in scope, and to no star", () => {
  openAt("/paper/2?mode=given");
  const review = screen.getByRole("article", { name: "Al" });
  const links = within(review).getAllByRole("link");
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    ["30", "#/paper/30?mode=given"],
    ["7", "#/paper/7?mode=given"],
  ]);
  expect(within(review).getByRole("img", { name: "a paper outside your scope" })).toBeTruthy();
});

test("neighbours follow the table's order, and the query stays", async () => {
  const user = userEvent.setup();
  openAt("/paper/10?sort=paper");
  expect(screen.getByText("3 of 4 in the table")).toBeTruthy();
  await user.click(screen.getByRole("link", { name: /Next: 30/ }));
  expect(addressNow()).toBe("/paper/30?sort=paper");
  expect(screen.queryByRole("link", { name: /Next/ })).toBeNull();
  await user.click(screen.getByRole("link", { name: /Previous: 10/ }));
  expect(addressNow()).toBe("/paper/10?sort=paper");
});

test("a paper that the filters hide has no neighbours", () => {
  openAt("/paper/10?q=zebras");
  expect(screen.getByText("Not among the papers that the table shows")).toBeTruthy();
});

test.each(["/paper/99", "/paper", "/elsewhere", "/overview/more"])(
  "%s is no page of the run",
  (address) => {
    openAt(address);
    expect(screen.getByText("This run has no such page.")).toBeTruthy();
  },
);

test("nothing for axe to find", async () => {
  const { container } = openAt("/paper/2");
  expect(await axe(container)).toEqual([]);
});
