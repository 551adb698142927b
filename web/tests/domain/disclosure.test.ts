// Views that show an order of papers and given scores, and no score of the run.
import { describe, expect, it } from "vitest";

import { columnsOf } from "../../src/domain/columns";
import { csvOf, paperColumns, reviewColumns } from "../../src/domain/exportTable";
import { shownPapers } from "../../src/domain/order";
import { placeChangeReason, placeSentence } from "../../src/domain/placeSentences";
import { placesOf } from "../../src/domain/places";
import { hasScores, openRun, statisticOf } from "../../src/domain/run";
import { numbersText } from "../../src/domain/sentences";
import { readTable, writeSort } from "../../src/domain/tableState";
import { orderView, sampleView } from "../support/sample";

const RANK_BY = { statistic: "mean", desc: true } as const;
const read = (query = "") => readTable(new URLSearchParams(query), openRun(orderView()));

describe("a view of the order", () => {
  const run = openRun(orderView());

  it("takes the places of papers from the server, and has given scores alone", () => {
    expect([...placesOf(run, RANK_BY).now.first]).toEqual([3, 0, 1, 2]);
    expect(statisticOf(run, "dequantized", 0, "mean")).toBeNaN();
    expect(statisticOf(run, "given", 0, "mean")).toBe(3);
  });

  it("opens in the order of places, and can be sorted otherwise and back", () => {
    expect(shownPapers(run, read())).toEqual([2, 3, 0, 1]);
    expect(read("mode=percentile").mode).toBe("given");
    expect(read("sort=-mean").sort).toEqual([{ id: "mean", desc: true }]);
    expect(writeSort(run, [{ id: "mean", desc: true }])).toEqual({ sort: "-mean" });
    expect(writeSort(run, [{ id: "place", desc: false }])).toEqual({ sort: null });
  });

  it("gives no reasons that come from forces, and no moves", () => {
    for (const paper of [0, 1, 2, 3]) expect(placeChangeReason(run, paper, RANK_BY)).toBeNull();
    expect(columnsOf(run, null).map(({ id }) => id)).not.toContain("moved");
    expect(placeSentence(run, 2, RANK_BY)).toContain("1st of your 3 papers");
  });

  it("exports places and given scores, and nothing computed", () => {
    expect(csvOf(reviewColumns(run), []).trim()).toBe("reviewer,paper,score");
    const names = paperColumns(
      run,
      columnsOf(run, null).map(({ id }) => id),
      { mode: "given", rankBy: RANK_BY, accept: null },
    );
    expect(names.map(({ name }) => name).join()).not.toMatch(/dequantized|percentile|moved/);
  });

  it("says what kind of numbers it has, to area chairs only", () => {
    expect(numbersText(run.view)).toContain("order of your papers");
    expect(numbersText(orderView({ disclosure: "scoped" }))).toContain("your papers only");
    expect(numbersText(sampleView())).toBeNull();
    expect(hasScores(run.view)).toBe(false);
    expect(hasScores(sampleView())).toBe(true);
  });
});
