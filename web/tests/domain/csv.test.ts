import { describe, expect, test } from "vitest";

import { csvOf, exportFileName, paperColumns } from "../../src/domain/exportTable";
import { type Mode } from "../../src/domain/run";
import { sampleRun } from "../support/sample";

const run = sampleRun();
const rankBy = { statistic: "mean", desc: true } as const;
const numbers = (mode: Mode) => ({ mode, rankBy, accept: null });

describe("CSV", () => {
  test.each([
    ["=1+1", "'=1+1"],
    ["-x", "'-x"],
    ["@a", "'@a"],
    ["+a", "'+a"],
    ["\ta", "'\ta"],
    ['say "hi", now', '"say ""hi"", now"'],
    ["plain", "plain"],
  ])("%o is written as %s", (text, written) => {
    expect(csvOf([{ name: "a", cell: () => text }], [0])).toBe(`a\n${written}\n`);
  });
  test("a file is named by conference, run and date", () => {
    expect(exportFileName(run, "papers", "csv")).toBe(
      "Testing-Days_First-run_2026-03-01_papers.csv",
    );
    const odd = sampleRun({ conference: "../Été: 2026?", name: "", finished: null });
    expect(exportFileName(odd, "reviews", "xlsx")).toBe("Été-2026_reviews.xlsx");
  });
  test("whole numbers of a real column keep their point, as in Python", () => {
    expect(csvOf(paperColumns(run, ["mean"], numbers("given")), [0])).toBe("score_mean\n3.0\n");
  });
});
