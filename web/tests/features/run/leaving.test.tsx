import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";

import { NoteField } from "../../../src/features/run/decisions/PaperDecision";

const leave = () => fireEvent(window, new Event("pagehide"));

test("a note is saved when the page is left, once", () => {
  const writeNote = vi.fn().mockResolvedValue(undefined);
  render(<NoteField note="Ask" save={writeNote} />);
  leave();
  expect(writeNote).not.toHaveBeenCalled();
  fireEvent.change(screen.getByRole("textbox", { name: "Note" }), { target: { value: "Ask Bo" } });
  expect(writeNote).not.toHaveBeenCalled();
  leave();
  leave();
  expect(writeNote.mock.calls).toEqual([["Ask Bo", "Ask", true]]);
});
