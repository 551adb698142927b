// The pages of the sample run.
import { render, type RenderResult } from "@testing-library/react";

import type { Run } from "../../src/domain/run";
import type { RunActions } from "../../src/features/run/context";
import { Overview } from "../../src/features/run/overview/Overview";
import { RunPages } from "../../src/features/run/RunPages";
import { Router, useRoute } from "../../src/app/route";
import { sampleRun } from "./sample";

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
