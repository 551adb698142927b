// The page of an area chair who sees the order of their papers and no score of the run.
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import { openRun } from "../../../src/domain/run";
import { orderView } from "../../support/sample";
import { openAt } from "../../support/setup";

const run = openRun(orderView());

test("papers come best first with given scores, what decides, and no decimals", () => {
  openAt("/", run);
  const [, ...rows] = within(screen.getByRole("table", { name: "Papers" })).getAllByRole("row");
  expect(rows.map((row) => within(row).getByRole("rowheader").textContent)).toEqual([
    "10",
    "30",
    "2",
    "7",
  ]);
  expect(rows[1]?.textContent).toContain("5 5");
  expect(document.body.textContent).not.toMatch(/\d\.\d/);
  expect(screen.queryByRole("link", { name: "Overview" })).toBeNull();
  expect(screen.getAllByText(/Bo ranks it against their own scores: ask them/)).toHaveLength(2);
});

test("a recommendation and a note are saved for the chairs", async () => {
  const save = { value: vi.fn(), note: vi.fn().mockResolvedValue(undefined) };
  const of = (paper: string) => (paper === "7" ? { value: "Accept", note: "Strong" } : undefined);
  openAt("/", run, { recommending: { of, save } });
  await userEvent.click(screen.getByRole("button", { name: "Recommendation on paper 7: Accept" }));
  await userEvent.click(screen.getByRole("menuitemradio", { name: "Discuss" }));
  expect(save.value).toHaveBeenLastCalledWith("7", "Discuss");
  const note = screen.getByRole("textbox", { name: "Note to the chairs on paper 2" });
  fireEvent.change(note, { target: { value: "R2 will update" } });
  fireEvent.blur(note);
  await waitFor(() => expect(save.note).toHaveBeenLastCalledWith("2", "R2 will update", "", false));
});

test("a preview shows what was recommended and changes nothing", () => {
  openAt("/", run, { recommending: { of: () => ({ value: "Reject", note: "Weak" }) } });
  expect(screen.queryByRole("button", { name: /^Recommendation/ })).toBeNull();
  expect(screen.getAllByText("Weak")).toHaveLength(4);
});

test("a paper has its place, given scores and rankings, and no decimals", () => {
  openAt("/paper/30", run);
  expect(screen.getByText(/^Place 2 of your 4 papers/)).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/\d\.\d/);
});
