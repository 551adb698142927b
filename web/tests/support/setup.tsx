// The pages of the sample run on a screen that jsdom does not have: a table of 600 pixels, say.
import { render, type RenderResult } from "@testing-library/react";
import { vi } from "vitest";

import type { Run } from "../../src/domain/run";
import type { RunActions } from "../../src/features/run/context";
import { Overview } from "../../src/features/run/overview/Overview";
import { RunPages } from "../../src/features/run/RunPages";
import { Router, useRoute } from "../../src/app/route";
import { sampleRun } from "./sample";

class NoResize {
  observe() {}
  unobserve() {}
  disconnect() {}
}

export function giveScreen() {
  vi.stubGlobal("ResizeObserver", NoResize);
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(1200);
  Element.prototype.scrollTo = () => {};
  Element.prototype.scrollIntoView = () => {};
}

function Pages({ run, actions }: { run: Run; actions: RunActions }) {
  const { path } = useRoute();
  return <RunPages run={run} base="" path={path} overview={<Overview />} actions={actions} />;
}

export function openAt(
  address: string,
  run: Run = sampleRun(),
  actions: RunActions = {},
): RenderResult {
  window.location.hash = `#${address}`;
  return render(
    <Router kind="hash">
      <Pages run={run} actions={actions} />
    </Router>,
  );
}

export const addressNow = () => window.location.hash.slice(1);
