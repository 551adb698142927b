// The recipe for a new column of the papers table: one entry gives it a heading, cells, an order, a place in
// the menu View, a filter and its column of the CSV.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";

import { COLUMNS, numberColumn, textColumn } from "../../../src/domain/columns";
import { csvOf, paperColumns } from "../../../src/domain/exportTable";
import { numberAt, STATISTIC_FUNCTIONS, type Run } from "../../../src/domain/run";
import { sampleRun } from "../../support/sample";
import { addressNow, openAt } from "../../support/setup";

const HIGHEST = numberColumn({
  id: "highest",
  title: "Highest percentile",
  text: "The percentile of the paper’s best review",
  digits: 0,
  of: ({ view, reviewsOf }) =>
    Float64Array.from(reviewsOf, (reviews) =>
      STATISTIC_FUNCTIONS.max(reviews.map((review) => numberAt(view.reviews.percentile, review))),
    ),
});
const initialOf = ({ view }: Run, paper: number): string | null =>
  view.papers.title?.[paper]?.[0]?.toUpperCase() ?? null;
const INITIAL = textColumn({
  id: "initial",
  title: "Initial",
  textAt: initialOf,
  width: "3rem",
  filter: {
    name: "initial",
    options: () => [["B", "B"]],
    passes: (run, paper, value) => initialOf(run, paper) === value,
  },
});
const OWN = COLUMNS.length;

beforeEach(() => void COLUMNS.push(HIGHEST, INITIAL));
afterEach(() => void (COLUMNS.length = OWN));

const papers = () =>
  within(screen.getByRole("table", { name: "Papers" }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent?.trim()));

it("is chosen in the menu View, shown and sorted by", async () => {
  const user = userEvent.setup();
  openAt("/?columns=paper");
  await user.click(screen.getByRole("button", { name: "View" }));
  await user.click(screen.getByRole("checkbox", { name: "Highest percentile" }));
  expect(addressNow()).toContain("columns=paper.highest");
  expect(screen.getByRole("columnheader", { name: "Highest percentile" }).title).toBe(HIGHEST.text);
  await user.click(screen.getByRole("button", { name: "Highest percentile" }));
  expect(papers()).toEqual([
    ["30", "90"],
    ["10", "70"],
    ["7", "60"],
    ["2", "50"],
  ]);
});

it("filters the table where its entry has a filter", async () => {
  const user = userEvent.setup();
  openAt("/?columns=paper.initial");
  await user.click(screen.getByRole("button", { name: "+ Filter" }));
  await user.selectOptions(screen.getByRole("combobox", { name: "Initial" }), "B");
  expect(papers().map(([id]) => id)).toEqual(["30"]);
  expect(screen.getByRole("button", { name: "Remove the filter Initial: B" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Clear filters" }));
  expect(papers()).toHaveLength(4);
});

it("is drawn again only in rows that change while somebody searches", async () => {
  const user = userEvent.setup();
  const drawn: number[] = [];
  COLUMNS.push({
    id: "drawn",
    title: "Drawn",
    cell: (_, paper) => `${drawn.push(paper)}`,
    csv: () => [],
    width: "3ch",
  });
  openAt("/?columns=paper.drawn&accept=2");
  expect(papers()).toHaveLength(5); // with the line
  drawn.length = 0;
  await user.type(screen.getByRole("textbox", { name: "Search" }), "bri");
  expect(papers()).toHaveLength(2);
  expect(drawn).not.toContain(3); // paper 30, the first before and after
});

it("is a column of the CSV", () => {
  const run = sampleRun();
  const numbers = {
    mode: "given",
    rankBy: { statistic: "mean", desc: true },
    accept: null,
  } as const;
  expect(csvOf(paperColumns(run, ["paper", "highest", "initial"], numbers), [3, 2])).toBe(
    "paper,highest,initial\n30,90,B\n10,70,\n",
  );
});
