// Before and after each test of pages: what jsdom lacks of a browser is made up, and nothing is left behind.
import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";

// What a test waits for comes late on a busy machine; the library gives up after one second.
configure({ asyncUtilTimeout: 20_000 });

class NoResize {
  observe() {}
  unobserve() {}
  disconnect() {}
}

beforeEach(() => {
  // A screen: jsdom draws nothing, and a table of no height has no rows.
  vi.stubGlobal("ResizeObserver", NoResize);
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(1200);
  Element.prototype.scrollTo = () => {};
  Element.prototype.scrollIntoView = () => {};
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
  };
});
afterEach(cleanup);
