import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import { axe } from "../../support/axe";
import { sampleRun, sampleView } from "../../support/sample";
import { addressNow, openAt } from "../../support/setup";

test("a paper with its facts, statistics and reviews", () => {
  openAt("/paper/2");
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Paper 2: Zebras");
  expect(screen.getByText("Theory")).toBeTruthy();
  const statistics = screen.getByRole("table", { name: "Statistics before and after" });
  const rows = within(statistics).getAllByRole("row").slice(1);
  expect(rows.map((row) => within(row).getAllByRole("cell").at(-1)?.textContent)).toEqual([
    ...["+0.500", "−0.200", "+0.171", "+0.214", "−0.700"],
  ]);
  expect(screen.getAllByRole("article")).toHaveLength(3);
});

test("one ruler tells in words what it draws", () => {
  openAt("/paper/2");
  expect(screen.getByRole("img", { name: /^Reviews from/ }).getAttribute("aria-label")).toBe(
    "Reviews from the given score to the new one: 3 to 3.214; 4 to 3.800; 2 to 2.500",
  );
  const review = screen.getByRole("article", { name: "Al" });
  expect(within(review).getByText(/^Moved up by 0.214/)).toBeTruthy();
});

test("small moves are folded, large ones are not", () => {
  openAt("/paper/7");
  const open = (name: string) =>
    screen.getByRole("article", { name }).querySelector("details")?.open;
  expect(open("Bo")).toBe(false);
  cleanup();
  openAt("/paper/2");
  expect(open("Al")).toBe(true);
});

test("a range that a ranking has widened is called so", () => {
  const view = sampleView();
  view.reviews.upper[0] = 3.9;
  openAt("/paper/2", sampleRun({ reviews: view.reviews }));
  const review = screen.getByRole("article", { name: "Al" });
  expect(within(review).getByText(/^Its widened rounding range, enlarged/)).toBeTruthy();
});

test("a reviewer who contradicts themselves is to be asked, and the ranking has their scores", () => {
  openAt("/paper/7");
  const review = screen.getByRole("article", { name: "Bo" });
  expect(review.textContent).toContain("Gave 4, ranked it last of 2: ask this reviewer.");
  expect(review.textContent).toContain("Ranking: 10 (3) > 7 (4)");
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
