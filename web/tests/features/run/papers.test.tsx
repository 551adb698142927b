import { act, cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { axe } from "../../support/axe";
import { sampleRun } from "../../support/sample";
import { addressNow, giveScreen, openAt } from "../../support/setup";

beforeEach(giveScreen);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A window that is narrower or wider than 1600 pixels. */
function fakeScreen(width: "narrow" | "wide") {
  const listeners = new Set<() => void>();
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: query === "(max-width: 100rem)" && width === "narrow",
    addEventListener: (_: string, notify: () => void) => listeners.add(notify),
    removeEventListener: (_: string, notify: () => void) => listeners.delete(notify),
  }));
  return {
    become(next: "narrow" | "wide") {
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

test("at first: dequantized, by mean, largest first", () => {
  openAt("/");
  expect(screen.getByRole("heading", { name: "Papers" })).toBeTruthy();
  expect(screen.getByRole("radio", { name: "Dequantized" })).toHaveProperty("checked", true);
  expect(papers()).toEqual(["30", "10", "7", "2"]);
  expect(within(row("30")).getAllByText("4.80")).toHaveLength(2); // mean and median
  expect(screen.getByRole("status").textContent).toBe("4 of 4 papers");
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
  await user.click(screen.getByRole("button", { name: "Do not sort by Track" }));
  expect(addressNow()).toBe("/");
  await user.click(heading("Mean"));
  expect(papers()).toEqual(["2", "7", "10", "30"]);
});

describe("scores and rankings", () => {
  test("each score stands beside its reviewer's ranking, the paper's own number in bold", () => {
    openAt("/?mode=given");
    const cells = within(row("7")).getAllByRole("cell");
    expect(cells.map((cell) => cell.textContent?.trim())).toContain("3 4");
    const rankings = cells.find((cell) => cell.textContent?.includes("Al: "));
    expect(rankings?.textContent).toBe("Al: 30 > 2 > 7 = ★Bo: 10 > 7");
    expect(within(row("7")).getAllByText("7", { selector: "strong" })).toHaveLength(2);
    expect(within(row("7")).getByRole("img", { name: "a paper outside your scope" })).toBeTruthy();
  });
  test("other modes have no rankings, and other numbers", async () => {
    const user = userEvent.setup();
    openAt("/?mode=given");
    expect(within(row("7")).getByText("3.50")).toBeTruthy();
    await user.click(screen.getByRole("radio", { name: "Percentiles" }));
    expect(addressNow()).toBe("/?mode=percentile");
    expect(within(table()).queryByRole("columnheader", { name: "Rankings" })).toBeNull();
    expect(within(row("7")).getAllByText("40.0")).not.toHaveLength(0);
  });
});

describe("filters", () => {
  test("as one types", async () => {
    const user = userEvent.setup();
    openAt("/");
    await user.type(screen.getByRole("textbox", { name: "Search" }), "theory bob");
    expect(papers()).toEqual(["10"]);
    expect(screen.getByRole("status").textContent).toBe("1 of 4 papers");
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(papers()).toHaveLength(4);
    expect(addressNow()).toBe("/");
  });
  test("by numbers, half typed ones too", async () => {
    const user = userEvent.setup();
    openAt("/");
    await user.type(screen.getByRole("spinbutton", { name: "Moved by at least" }), "0.18");
    expect(papers()).toEqual(["30", "10"]);
    await user.selectOptions(screen.getByRole("combobox", { name: "Statistic" }), "Max");
    await user.type(screen.getByRole("spinbutton", { name: "From" }), "5");
    expect(papers()).toEqual(["30"]);
    expect(addressNow()).toBe("/?moved=0.18&of=max&from=5");
  });
  test("by contradiction, and by track", async () => {
    const user = userEvent.setup();
    openAt("/");
    await user.click(screen.getByRole("checkbox", { name: "Rank contradicts score" }));
    expect(papers()).toEqual(["10", "7"]);
    await user.selectOptions(screen.getByRole("combobox", { name: "Track" }), "Systems");
    expect(papers()).toEqual(["7"]);
  });
  test("nothing left is said in words", () => {
    openAt("/?q=nowhere");
    expect(screen.getByText("No paper matches these filters.")).toBeTruthy();
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

test("places, with arrows that are also words", () => {
  openAt("/");
  const place = (paper: string) => within(row(paper)).getAllByRole("cell")[0]?.textContent;
  expect(place("10")).toBe("2 ↑up before: (2–3 tied)");
  expect(place("7")).toBe("3 ↓down before: (2–3 tied)");
  expect(place("30")).toBe("1 ");
});

test("the line: a rule in the table, a card, parts that filter, and Back", async () => {
  const user = userEvent.setup();
  openAt("/");
  await user.type(screen.getByRole("textbox", { name: "Accept" }), "2");
  expect(addressNow()).toBe("/?accept=2");
  const rows = within(table()).getAllByRole("row");
  expect(rows[3]?.textContent).toBe("2 accepted above");
  expect(screen.getByRole("button", { name: "1 clear" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "2 tied for 1 place" }));
  expect(papers()).toEqual(["10", "7"]);
  await user.click(
    screen.getByRole("button", { name: "settled by rankings and other reviews: 1" }),
  );
  expect(papers()).toEqual(["10"]);
  expect(screen.getByRole("button", { name: "undecided: 0" })).toHaveProperty("disabled", true);
  expect(addressNow()).toBe("/?accept=2&line=settled");
  await user.clear(screen.getByRole("textbox", { name: "Accept" }));
  await user.type(screen.getByRole("textbox", { name: "Accept" }), "nine");
  expect(screen.getByText("A number of papers, or a share such as 25%.")).toBeTruthy();
  expect(addressNow()).toBe("/");
});

test("a typo moves no line, an empty field takes it away", async () => {
  const user = userEvent.setup();
  const saveLine = vi.fn();
  openAt("/?accept=2", sampleRun(), { saveLine });
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Accept" });
  await user.type(field, "x");
  expect(field.value).toBe("2x");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText(/The line stays at 2\.$/)).toBeTruthy();
  expect(saveLine).not.toHaveBeenCalled();
  expect(addressNow()).toBe("/?accept=2");
  await user.type(field, "{Backspace}5");
  expect(saveLine.mock.lastCall).toEqual([{ amount: 25, percent: false, perTrack: false }]);
  await user.clear(field);
  expect(saveLine.mock.lastCall).toEqual([null]);
  expect(addressNow()).toBe("/");
});

test("filters by change of place and by broken ties; sorting by the change shows it", async () => {
  const user = userEvent.setup();
  openAt("/");
  await user.click(screen.getByRole("checkbox", { name: "Tie broken" }));
  expect(papers()).toEqual(["10", "7"]);
  await user.selectOptions(screen.getByRole("combobox", { name: "Sort by" }), "Change of place");
  expect(heading("Change of place")).toBeTruthy();
  await user.selectOptions(screen.getByRole("combobox", { name: "Then by" }), "Track");
  expect(addressNow()).toBe("/?tie_broken=yes&sort=-change.track");
});

test("columns come and go", async () => {
  const user = userEvent.setup();
  openAt("/");
  await user.click(screen.getByRole("button", { name: "Columns" }));
  await user.click(screen.getByRole("checkbox", { name: "Title" }));
  expect(within(table()).queryByRole("columnheader", { name: "Title" })).toBeNull();
  await user.click(screen.getByRole("checkbox", { name: "Title" }));
  expect(addressNow()).toBe("/");
  await user.keyboard("{Escape}");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Columns" }));
});

test("rows keep to the order of the headings when the window is widened", () => {
  const screenOf = fakeScreen("narrow");
  openAt("/");
  const headings = () =>
    within(table())
      .getAllByRole("columnheader")
      .map((cell) => cell.className.match(/col-\w+/)?.[0]);
  const cells = () => [...row("7").children].map((cell) => cell.className.match(/col-\w+/)?.[0]);
  expect(headings().indexOf("col-mean")).toBe(2); // beside the paper
  expect(cells()).toEqual(headings());
  act(() => screenOf.become("wide"));
  expect(headings().indexOf("col-mean")).toBeGreaterThan(2);
  expect(cells()).toEqual(headings());
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

test.each(["/?open=2", "/?mode=given&sort=track.-mean", "/?q=nowhere"])(
  "nothing for axe to find at %s",
  async (address) => {
    const { container } = openAt(address);
    expect(await axe(container)).toEqual([]);
  },
);
