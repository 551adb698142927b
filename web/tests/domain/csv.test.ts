import { describe, expect, test } from "vitest";

import { csvOf } from "../../src/domain/csv";
import { exportNames, paperColumns, reviewColumns } from "../../src/domain/exportTable";
import { sampleRun } from "../support/sample";

const run = sampleRun();

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
    const columns = paperColumns(run, ["paper", "title", "reviews", "mean"], "dequantized");
    expect(csvOf(columns, [3, 2])).toBe(
      "paper,title,reviews,dequantized_mean\n30,Bridges,2,4.8\n10,,2,3.6999999999999997\n",
    );
  });
  test("whole numbers of a real column keep their point, as in Python", () => {
    expect(csvOf(paperColumns(run, ["mean"], "given"), [0])).toBe("score_mean\n3.0\n");
  });
  test("reviews", () => {
    expect(csvOf(reviewColumns(run), [0])).toBe(
      "reviewer,paper,score,dequantized,percentile\nAl,2,3,3.214,30.0\n",
    );
  });
  test("the server is asked only for columns that it has", () => {
    expect(exportNames(["paper", "scores", "mean", "moved"], "percentile")).toEqual([
      "paper",
      "percentile_mean",
      "moved",
    ]);
  });
});
