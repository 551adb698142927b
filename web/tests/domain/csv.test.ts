import { describe, expect, test } from "vitest";

import { csvOf, exportFileName, paperColumns, reviewColumns } from "../../src/domain/exportTable";
import { statisticsOf, type Mode } from "../../src/domain/run";
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
  test("papers as shown, with the names of papers.csv and every digit", () => {
    const columns = paperColumns(
      run,
      ["paper", "title", "reviews", "mean"],
      numbers("dequantized"),
    );
    expect(csvOf(columns, [3, 2])).toBe(
      "paper,title,reviews,dequantized_mean\n30,Bridges,2,4.8\n10,,2,3.6999999999999997\n",
    );
  });
  test("what only the page shows: places, scores, rankings, and nothing for a paper without scores", () => {
    const columns = paperColumns(
      run,
      [...(["place", "was", "paper", "scores", "new_scores"] as const), "rankings"],
      numbers("dequantized"),
    );
    expect(csvOf(columns, [2])).toBe(
      "place,place_last,given_place,given_place_last,paper,scores,dequantized_scores,rankings\n2,2,2,3,10,3 4,3.3 4.1,10 > 7 | 30 > 10\n",
    );
    const bare = sampleRun();
    statisticsOf(bare, "given", "mean")[0] = NaN;
    expect(csvOf(paperColumns(bare, ["mean"], numbers("given")), [0])).toBe("score_mean\n\n");
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
  test("reviews", () => {
    expect(csvOf(reviewColumns(run), [0])).toBe(
      "reviewer,paper,score,dequantized,percentile\nAl,2,3,3.214,30.0\n",
    );
  });
});
