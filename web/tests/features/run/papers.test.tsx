import { act, cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { axe } from "../../support/axe";
import { Router } from "../../../src/app/route";
import { columnOf } from "../../../src/domain/columns";
import { marksOf } from "../../../src/domain/decisions";
import { withMarks } from "../../../src/domain/run";
import { RunContext, type Marking } from "../../../src/features/run/context";
import { PaperRow } from "../../../src/features/run/papers/PaperRow";
import type { Cells } from "../../../src/features/run/papers/cells";
import { sampleRun, sampleView } from "../../support/sample";
import { addressNow, giveScreen, openAt } from "../../support/setup";

beforeEach(giveScreen);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A window that is as narrow as a phone, or wider. */
function fakeScreen(width: "phone" | "wide") {
  const listeners = new Set<() => void>();
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: query === "(max-width: 37.49rem)" && width === "phone",
    addEventListener: (_: string, notify: () => void) => listeners.add(notify),
    removeEventListener: (_: string, notify: () => void) => listeners.delete(notify),
  }));
  return {
    become(next: "phone" | "wide") {
      width = next;
      listeners.forEach((notify) => notify());
    },
  };
}

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
const view = () => userEvent.click(screen.getByRole("button", { name: "View" }));

test("at first: new scores, by mean, largest first", () => {
  openAt("/");
  expect(screen.getByRole("heading", { name: "Papers" })).toBeTruthy();
  expect(papers()).toEqual(["30", "10", "7", "2"]);
  expect(within(row("30")).getAllByText("4.80")).toHaveLength(1); // the mean
  expect(screen.getByRole("status").textContent).toBe("4 papers");
  expect(table().getAttribute("aria-rowcount")).toBe("5");
});

test("a click sorts, another turns round, Shift adds, and the address keeps it", async () => {
  const user = userEvent.setup();
  openAt("/");
  await user.click(heading("Track"));
  expect(papers()).toEqual(["7", "30", "2", "10"]);
  await user.keyboard("{Shift>}");
  await user.click(heading("Mean"));
  await user.keyboard("{/Shift}");
  expect(papers()).toEqual(["30", "7", "10", "2"]);
  expect(addressNow()).toBe("/?sort=track.-mean");
  const sorted = within(table())
    .getAllByRole("columnheader")
    .filter((cell) => cell.getAttribute("aria-sort"));
  expect(sorted.map((cell) => cell.getAttribute("aria-sort"))).toEqual(["ascending", "descending"]);
  await user.click(heading("Mean"));
  expect(addressNow()).toBe("/?sort=track.mean");
});

test("each score stands beside its reviewer's ranking, the paper's own number in bold", () => {
  openAt("/?columns=paper.scores.rankings");
  const cells = within(row("7")).getAllByRole("cell");
  expect(cells.map((cell) => cell.textContent?.trim())).toContain("3 4");
  const rankings = cells.find((cell) => cell.textContent?.includes("Al: "));
  expect(rankings?.textContent).toBe("Al: 30 (5) > 2 (3) > 7 (3) = ★Bo: 10 (3) > 7 (4)");
  expect(within(row("7")).getAllByText("7", { selector: "strong" })).toHaveLength(2);
  expect(within(row("7")).getByRole("img", { name: "a paper outside your scope" })).toBeTruthy();
});

test("the statistics may be those of given scores; places stay", async () => {
  const user = userEvent.setup();
  openAt("/?columns=place.paper.mean.percentile");
  await view();
  await user.click(screen.getByRole("radio", { name: "Given scores" }));
  expect(addressNow()).toBe("/?columns=place.paper.mean.percentile&mode=given");
  expect(within(row("7")).getByText("3.50")).toBeTruthy();
  expect(within(row("7")).getByText("40.0")).toBeTruthy();
  expect(within(row("7")).getByText("3")).toBeTruthy();
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
  test("by the range of a statistic, and a chip removes it", async () => {
    const user = userEvent.setup();
    openAt("/");
    await filters();
    await user.selectOptions(screen.getByRole("combobox", { name: "Statistic" }), "Max");
    await user.type(screen.getByRole("textbox", { name: "From" }), "5{Enter}");
    expect(papers()).toEqual(["30"]);
    expect(addressNow()).toBe("/?of=max&from=5");
    await user.click(screen.getByRole("button", { name: "Remove the filter Max from 5" }));
    expect(addressNow()).toBe("/?of=max");
  });
  test("by contradiction, and by track", async () => {
    const user = userEvent.setup();
    openAt("/");
    await filters();
    await user.click(screen.getByRole("checkbox", { name: "Rank contradicts score" }));
    expect(papers()).toEqual(["10", "7"]);
    await user.selectOptions(screen.getByRole("combobox", { name: "Track" }), "Systems");
    expect(papers()).toEqual(["7"]);
    expect(screen.getByRole("button", { name: "Remove the filter Track: Systems" })).toBeTruthy();
  });
  test("nothing left is said in words, with a way back", async () => {
    openAt("/?q=nowhere");
    expect(screen.getByText("No papers match.")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(papers()).toHaveLength(4);
  });
});

test("a row opens to its reviews, and the address remembers", async () => {
  const user = userEvent.setup();
  openAt("/");
  await user.click(screen.getByRole("button", { name: "Reviews of paper 2" }));
  expect(addressNow()).toBe("/?open=2");
  const reviews = screen.getByRole("table", { name: "Reviews of paper 2" });
  expect(within(reviews).getByText(/held above paper 7/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open paper 2" }).getAttribute("href")).toBe(
    "#/paper/2?open=2",
  );
  await user.click(screen.getByRole("button", { name: "Reviews of paper 2" }));
  expect(addressNow()).toBe("/");
});

test("rows are walked by arrow keys, and one of them is reached by Tab", async () => {
  const user = userEvent.setup();
  openAt("/");
  const opener = (paper: number) =>
    screen.getByRole("button", { name: `Reviews of paper ${paper}` });
  opener(30).focus();
  await user.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(opener(10));
  await user.keyboard("{End}");
  expect(document.activeElement).toBe(opener(2));
  await user.keyboard("{Home}{Enter}");
  expect(opener(30).getAttribute("aria-expanded")).toBe("true");
  const reachable = screen
    .getAllByRole("button", { name: /^Reviews of paper/ })
    .filter((button) => button.tabIndex === 0);
  expect(reachable).toEqual([opener(30)]);
});

test("the place and the one before; an arrow only for a paper that left its range", () => {
  openAt("/");
  const cells = (paper: string) =>
    within(row(paper))
      .getAllByRole("cell")
      .slice(0, 2)
      .map((cell) => cell.textContent?.trim());
  expect(cells("10")).toEqual(["2", "2–3"]);
  expect(cells("7")).toEqual(["3", "2–3"]);
  cleanup();
  const { reviews } = sampleView();
  const dequantized = reviews.dequantized.map((value, review) => (review === 2 ? 1 : value));
  openAt("/", sampleRun({ reviews: { ...reviews, dequantized } }));
  expect(cells("30")).toEqual(["4 ▼down", "1"]);
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

test("the tracks at the line, and a line in each of them", async () => {
  const user = userEvent.setup();
  openAt("/?accept=1");
  await user.click(screen.getByRole("button", { name: "The line: of 4" }));
  await user.click(screen.getByRole("checkbox", { name: "in each track" }));
  expect(addressNow()).toBe("/?accept=1&per=track");
  const rows = within(screen.getByRole("table", { name: "Tracks" })).getAllByRole("row");
  expect(rows.map((each) => [...each.children].map((cell) => cell.textContent))).toEqual([
    ["Track", "Papers", "Room", "In", "Tied"],
    ["Systems", "2", "1", "1", "0"],
    ["Theory", "2", "1", "1", "0"],
  ]);
  expect(row("30").className).toContain("above");
  expect(row("7").className).not.toContain("above");
});

test("a number that would accept everybody in each track is asked about", async () => {
  const user = userEvent.setup();
  openAt("/?accept=2");
  await user.click(screen.getByRole("button", { name: "The line: of 4" }));
  await user.click(screen.getByRole("checkbox", { name: "in each track" }));
  expect(addressNow()).toBe("/?accept=2");
  expect(screen.getByRole("alert").textContent).toContain(
    "2 in each of 2 tracks = 4 papers, all of them.",
  );
  await user.click(screen.getByRole("button", { name: "50% of each track: 2 papers" }));
  expect(addressNow()).toBe("/?accept=50%25&per=track");
  cleanup();
  openAt("/?accept=2&per=track");
  expect(screen.getByText("2 in each of 2 tracks = 4 papers, all of them.")).toBeTruthy();
  cleanup();
  openAt("/?accept=100%25");
  expect(screen.getByText("The line accepts 4 papers, all of them.")).toBeTruthy();
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

test("columns come and go", async () => {
  const user = userEvent.setup();
  openAt("/");
  await view();
  await user.click(screen.getByRole("checkbox", { name: "Title" }));
  expect(within(table()).queryByRole("columnheader", { name: "Title" })).toBeNull();
  await user.click(screen.getByRole("checkbox", { name: "Title" }));
  expect(addressNow()).toBe("/");
  await user.keyboard("{Escape}");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "View" }));
});

test("rows keep to the order of the headings when the window is widened", () => {
  const screenOf = fakeScreen("phone");
  openAt("/");
  const headings = () =>
    within(table())
      .getAllByRole("columnheader")
      .map((cell) => cell.className.match(/col-\w+/)?.[0]);
  const cells = () => [...row("7").children].map((cell) => cell.className.match(/col-\w+/)?.[0]);
  expect(headings()).not.toContain("col-track");
  expect(cells()).toEqual(headings());
  act(() => screenOf.become("wide"));
  expect(headings()).toContain("col-track");
  expect(cells()).toEqual(headings());
});

test("rows follow the columns alone, and their order", () => {
  const run = sampleRun();
  const rankBy = { statistic: "mean", desc: true } as const;
  const cells: Cells = {
    ...{
      mode: "dequantized",
      rankBy,
      accept: null,
      chances: null,
      reasons: new Map(),
      decide: undefined,
    },
    ...{ digits: 2 },
  };
  const nothing = () => {};
  const handlers = { onSelect: undefined, onToggle: nothing, onKey: nothing, onReach: nothing };
  const state = { run, line: null, base: "" };
  const same = { cells, rowIndex: 2, height: 36, open: false, active: true, mark: "", ...handlers };
  const tableOf = (columns: string[]) => (
    <Router kind="hash">
      <RunContext value={state}>
        <table aria-label="Papers">
          <tbody>
            <PaperRow paper={1} columns={columns.map(columnOf)} selected={null} {...same} />
          </tbody>
        </table>
      </RunContext>
    </Router>
  );
  const texts = () => [...row("7").children].map((cell) => cell.textContent?.trim());
  const { rerender } = render(tableOf(["paper", "track", "mean"]));
  expect(texts()).toEqual(["7", "Systems", "3.45"]);
  rerender(tableOf(["paper", "mean", "track"]));
  expect(texts()).toEqual(["7", "3.45", "Systems"]);
  rerender(tableOf(["paper", "title", "mean", "track"]));
  expect(texts()).toEqual(["7", "apples", "3.45", "Systems"]);
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

test("a decision is set in its cell, and notes are visible", async () => {
  const user = userEvent.setup();
  const decide = vi.fn().mockResolvedValue({ batch: "b", papers: 1, kept: 0 });
  const run = sampleRun();
  const listed = [{ paper: "7", decision: null, tags: [], note: "Ask Bo." }];
  openAt("/", withMarks(run, marksOf(run, listed)), { marking: { decide } as unknown as Marking });
  expect(within(row("7")).getByText("Ask Bo.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Decision on paper 7: –" }));
  await user.click(screen.getByRole("menuitemradio", { name: "Discuss" }));
  expect(decide.mock.calls).toEqual([[["7"], "Discuss"]]);
  expect(screen.getByRole("region", { name: "Selected papers" }).textContent).toContain(
    "Paper 7: Discuss",
  );
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

test("what is shown is exported as CSV, made in the page", async () => {
  const user = userEvent.setup();
  const made: Blob[] = [];
  vi.stubGlobal(
    "URL",
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => (made.push(blob), "blob:made"),
      revokeObjectURL: () => {},
    }),
  );
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  openAt("/?columns=paper.mean");
  await user.click(screen.getByRole("button", { name: "Export" }));
  await user.click(screen.getByRole("button", { name: "Papers as CSV" }));
  expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(await made[0]?.arrayBuffer())).toBe(
    "\ufeffpaper,dequantized_mean\n30,4.8\n10,3.6999999999999997\n7,3.45\n2,3.171333333333333\n",
  );
});

test.each(["/?open=2", "/?mode=given&sort=track.-mean&accept=2", "/?q=nowhere"])(
  "nothing for axe to find at %s",
  async (address) => {
    const { container } = openAt(address);
    expect(await axe(container)).toEqual([]);
  },
);
