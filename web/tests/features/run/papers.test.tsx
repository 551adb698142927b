import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";

import { axe } from "../../support/axe";
import { marksOf } from "../../../src/domain/decisions";
import { withMarks } from "../../../src/domain/run";
import { type Marking } from "../../../src/features/run/context";
import { sampleRun } from "../../support/sample";
import { addressNow, openAt } from "../../support/setup";

const table = () => screen.getByRole("table", { name: "Papers" });
const heading = (name: string) => within(table()).getByRole("button", { name });
const papers = () =>
  within(table())
    .getAllByRole("rowheader")
    .map((cell) => cell.textContent);
const row = (paper: string) => {
  const found = within(table())
    .getAllByRole("row")
    .find((each) => within(each).queryByRole("rowheader")?.textContent === paper);
  if (!found) throw new Error(`no row of paper ${paper}`);
  return found;
};

const filters = () => userEvent.click(screen.getByRole("button", { name: "+ Filter" }));

test("each score stands beside its reviewer's ranking, the paper's own number in bold", () => {
  openAt("/?columns=paper.scores.rankings");
  const cells = within(row("7")).getAllByRole("cell");
  expect(cells.map((cell) => cell.textContent?.trim())).toContain("3 4");
  const rankings = cells.find((cell) => cell.textContent?.includes("Al: "));
  expect(rankings?.textContent).toBe("Al: 30 (5) > 2 (3) > 7 (3) = ★Bo: 10 (3) > 7 (4)");
  expect(within(row("7")).getAllByText("7", { selector: "strong" })).toHaveLength(2);
  expect(within(row("7")).getByRole("img", { name: "a paper outside your scope" })).toBeTruthy();
});

describe("filters", () => {
  test("as one types, from anywhere by the slash", async () => {
    const user = userEvent.setup();
    openAt("/");
    await user.keyboard("/");
    expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Search" }));
    await user.keyboard("theory bob");
    expect(papers()).toEqual(["10"]);
    expect(screen.getByRole("status").textContent).toBe("1 of 4 papers");
    await filters();
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(papers()).toHaveLength(4);
    expect(addressNow()).toBe("/");
  });
  test("nothing left is said in words, with a way back", async () => {
    openAt("/?q=nowhere");
    expect(screen.getByText("No papers match.")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(papers()).toHaveLength(4);
  });
});

test("the line: a rule in the table, a sentence that adds up, parts that filter, and Back", async () => {
  const user = userEvent.setup();
  openAt("/");
  await user.type(screen.getByRole("textbox", { name: "Accept" }), "2");
  expect(addressNow()).toBe("/?accept=2");
  const rows = within(table()).getAllByRole("row");
  expect(rows[3]?.textContent).toBe("2 in");
  const parts = within(screen.getByRole("list", { name: "Papers around the line" }));
  expect(parts.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    ...["2 in: 1 as before", "1 of the 2 that were tied for the last place", "none drops out"],
  ]);
  await user.click(screen.getByRole("button", { name: /^1 of the 2 that were tied/ }));
  expect(papers()).toEqual(["10"]);
  expect(addressNow()).toBe("/?accept=2&line=in");
  await user.clear(screen.getByRole("textbox", { name: "Accept" }));
  await user.type(screen.getByRole("textbox", { name: "Accept" }), "nine");
  expect(screen.getByText("A number of papers, or a share such as 25%.")).toBeTruthy();
  expect(addressNow()).toBe("/");
});

test("a number that accepts everybody in each track says so", async () => {
  const user = userEvent.setup();
  openAt("/?accept=2");
  await user.click(screen.getByRole("button", { name: "The line: of 4" }));
  await user.click(screen.getByRole("checkbox", { name: "in each track" }));
  expect(addressNow()).toBe("/?accept=2&per=track");
  expect(screen.getByText("2 in each of 2 tracks = 4 papers, all of them.")).toBeTruthy();
});

test("trying a line is not setting it", async () => {
  const user = userEvent.setup();
  const saveLine = vi.fn();
  openAt("/?accept=2", sampleRun(), { saveLine });
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Accept" });
  await user.type(field, "x");
  expect(field.value).toBe("2x");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText(/The line stays at 2\.$/)).toBeTruthy();
  expect(addressNow()).toBe("/?accept=2");
  await user.type(field, "{Backspace}5");
  expect(addressNow()).toBe("/?accept=25");
  expect(saveLine).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Keep for all chairs" }));
  expect(saveLine.mock.calls).toEqual([[{ amount: 25, percent: false, perTrack: false }]]);
});

test("what area chairs recommend and write is a column once anybody did", () => {
  const run = sampleRun();
  const asChair = { marking: {} as unknown as Marking };
  openAt("/", withMarks(run, marksOf(run, [], [])), asChair);
  expect(within(table()).queryByRole("columnheader", { name: "Area chair says" })).toBeNull();
  cleanup();
  const recommended = [
    { paper: "7", area_chair: "Ann", value: "Reject", note: "Thin proofs." },
    { paper: "10", area_chair: "Bob", value: "Accept", note: "" },
    { paper: "10", area_chair: "Cy", value: "Discuss", note: "" },
    { paper: "30", area_chair: "Bob", value: null, note: "R2 will update." },
  ];
  openAt("/", withMarks(run, marksOf(run, [], recommended)), asChair);
  const names = [...within(table()).getAllByRole("columnheader")].map((cell) => cell.className);
  const place = names.findIndex((name) => name.includes("col-recommendation"));
  expect(heading("Area chair says")).toBeTruthy();
  const said = (paper: string) => row(paper).children[place]?.textContent;
  expect(["7", "10", "30", "2"].map(said)).toEqual([
    ...["Reject: Thin proofs.", "Accept; Discuss", "R2 will update.", ""],
  ]);
});

test("keys decide in the open menu alone", async () => {
  const user = userEvent.setup();
  const decide = vi.fn().mockResolvedValue({ batch: "b", papers: 1, kept: 0 });
  const run = sampleRun();
  openAt("/", withMarks(run, marksOf(run, [])), { marking: { decide } as unknown as Marking });
  const button = screen.getByRole("button", { name: "Decision on paper 30: –" });
  button.focus();
  await user.keyboard("{ArrowDown}{ArrowUp}{PageDown}{End}jard");
  expect(document.activeElement).toBe(button);
  expect(screen.queryByRole("menu")).toBeNull();
  const chosen = () => document.activeElement?.textContent;
  await user.keyboard("{Enter}");
  expect(chosen()).toBe("No decision");
  await user.keyboard("{ArrowDown}");
  expect(chosen()).toBe("Accept");
  await user.keyboard("r");
  expect(chosen()).toBe("Reject");
  await user.keyboard("{ArrowDown}{End}{Home}");
  expect(chosen()).toBe("No decision");
  expect(await axe(document.body)).toEqual([]);
  await user.keyboard("d{Escape}");
  expect(document.activeElement).toBe(button);
  await user.keyboard("{Enter}a{Tab}");
  expect(screen.queryByRole("menu")).toBeNull();
  expect(decide).not.toHaveBeenCalled();
  button.focus();
  await user.keyboard(" r{Enter}");
  expect(decide.mock.calls).toEqual([[["30"], "Reject"]]);
  expect(document.activeElement).toBe(button);
});

test.each(["/?open=2", "/?mode=given&sort=track.-mean&accept=2", "/?q=nowhere"])(
  "nothing for axe to find at %s",
  async (address) => {
    const { container } = openAt(address);
    expect(await axe(container)).toEqual([]);
  },
);
