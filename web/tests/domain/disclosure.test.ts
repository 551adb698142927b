// Views that show the order of a run and no distances.
import { describe, expect, it } from "vitest";

import { columnsOf } from "../../src/domain/columns";
import { placeChangeReason } from "../../src/domain/placeSentences";
import { placesOf } from "../../src/domain/places";
import { hasDistances, openRun, type View } from "../../src/domain/run";
import { numbersText, moveSentence } from "../../src/domain/sentences";
import { sampleView } from "../support/sample";

const LEVEL = [3.2, 3.0, 4.5];

function orderView(changes: Partial<View> = {}): View {
  const view = sampleView();
  return {
    ...view,
    viewer: { role: "area_chair", name: "Ann", reviewer_names: false },
    disclosure: "order",
    run: { ...view.run, lam: 2, selection: null, certificate: null },
    reviews: { ...view.reviews, consensus: [], ranking: [], cell: [] },
    bindings: { reviewer: [], better: [], worse: [], lifts: [], lowers: [] },
    statistics: {
      min: [2.5, ...LEVEL],
      max: [3.8, ...LEVEL],
      mean: [3.1, ...LEVEL],
      median: [3.2, ...LEVEL],
      spread: [1.3, null, 0, 0],
    },
    ...changes,
  };
}

describe("a view of the order", () => {
  const run = openRun(orderView());

  it("takes its statistics from the server, where the order of the run is in them", () => {
    expect(run.statistics.dequantized.map(({ mean }) => mean)).toEqual([3.1, ...LEVEL]);
    expect(run.statistics.dequantized[1]?.spread).toBeNaN();
    expect(run.statistics.given[0]?.mean).toBe(3);
  });

  it("says the place within a level, and no distance", () => {
    expect(moveSentence(run, 0)).toBe("Place 2 of 3 reviews of your papers with the score 3.");
    expect(moveSentence(run, 6)).toBe("The only review of your papers with the score 2.");
  });

  it("gives no reasons that come from forces, and no moves", () => {
    const rankBy = { statistic: "mean", desc: true } as const;
    const places = placesOf(run, "dequantized", rankBy);
    for (const paper of [0, 1, 2, 3])
      expect(placeChangeReason(run, paper, { places, rankBy })).toBeNull();
    expect(columnsOf(run, "dequantized", null)).not.toContain("moved");
  });

  it("says what kind of numbers it has, to area chairs only", () => {
    expect(numbersText(run.view)).toContain("distances between them mean nothing");
    expect(numbersText(orderView({ disclosure: "scoped" }))).toContain("your papers alone");
    expect(numbersText(sampleView())).toBeNull();
    expect(hasDistances(run.view)).toBe(false);
    expect(hasDistances(sampleView())).toBe(true);
  });
});
