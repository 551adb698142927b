// @vitest-environment jsdom
import { expect, it } from "vitest";

import { exportToSystem } from "../../../src/features/runs/ExportDialog";
import type { ExportPart } from "../../../src/domain/glossary";
import { serve } from "../../support/server";

it("sends what the system needs and nothing else, and keeps the server's name", async () => {
  const headers = { "Content-Disposition": 'attachment; filename="dq.csv"' };
  const calls = serve({
    "GET runs/r/export/hotcrp?tag=dq&include=places&include=decisions&per_review=true": () => ({
      body: {},
      headers,
    }),
    "GET runs/r/export/openreview?invitation=V%2F-%2FScore+%26+more": () => ({ body: {} }),
    "GET runs/r/export/cmt": () => ({ body: {} }),
  });
  const include: ExportPart[] = ["places", "decisions"];
  const choice = { tag: " dq", include, perReview: true, invitation: "V/-/Score & more" };
  expect((await exportToSystem("r", { ...choice, target: "hotcrp" })).name).toBe("dq.csv");
  expect((await exportToSystem("r", { ...choice, target: "openreview" })).name).toBe("download");
  expect((await exportToSystem("r", { ...choice, target: "cmt" })).name).toBe("download");
  expect(calls).toHaveLength(3);
});
