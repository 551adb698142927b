import { describe, expect, test } from "vitest";

import { lineOf, PARTS, sumOf, sumText, type Accept, type Part } from "../../src/domain/line";
import { leftRange, placesOf, rangeAt, tieBroken, type RankBy } from "../../src/domain/places";
import { ordinal } from "../../src/domain/format";
import { placeSentence } from "../../src/domain/placeSentences";
import { movesOf, openRun, statisticOf, type Mode, type Run } from "../../src/domain/run";
import { sampleRun, sampleView } from "../support/sample";
import { runOf } from "../support/view";
import { STATISTICS } from "../../src/domain/glossary";

/** Numbers from 0 to 1, the same at every run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A conference with many ties before, some after, tracks, and papers without scores. */
function madeUp(seed: number, papers: number): Run {
  const random = dice(seed);
  const view = sampleView();
  const rows: { paper: number; score: number; dequantized: number }[] = [];
  for (let paper = 0; paper < papers; paper++) {
    if (random() < 0.05) continue;
    for (let review = 0; review < 1 + Math.floor(3 * random()); review++) {
      const score = 1 + Math.floor(5 * random());
      const moved = random() < 0.5 ? 0 : Math.round(8 * random() - 4) / 10;
      rows.push({ paper, score, dequantized: score + moved });
    }
  }
  const none = rows.map(() => 0);
  const reviewer = rows.map(() => 0);
  return openRun({
    ...view,
    papers: {
      ...view.papers,
      paper: Array.from({ length: papers }, (_, index) => index + 1),
      title: null,
      track: Array.from(
        { length: papers },
        () => ["A", "B", null][Math.floor(3 * random())] ?? null,
      ),
      area_chair: null,
    },
    reviews: {
      paper: rows.map(({ paper }) => paper),
      reviewer,
      score: rows.map(({ score }) => score),
      dequantized: rows.map(({ dequantized }) => dequantized),
      percentile: rows.map(({ dequantized }) => 10 * dequantized),
      lower: none,
      upper: none,
      consensus: none,
      ranking: none,
      cell: none,
    },
    rankings: [{ groups: [], pairs: [] }],
    reviewers: ["Al"],
    bindings: { reviewer: [], better: [], worse: [], lifts: [], lowers: [] },
  });
}

/** The same by counting, for each paper, all papers that are better and all that are tied. */
function slowRange(run: Run, mode: Mode, rankBy: RankBy, papers: number[], paper: number) {
  const value = (each: number) =>
    (rankBy.desc ? -1 : 1) * Number(statisticOf(run, mode, each, rankBy.statistic).toFixed(4));
  const own = value(paper);
  if (Number.isNaN(own)) return null;
  const better = papers.filter((each) => value(each) < own).length;
  const tied = papers.filter((each) => value(each) === own).length;
  return { first: better + 1, last: better + tied };
}

const all = (run: Run) => Array.from({ length: run.papers }, (_, paper) => paper);
const RULINGS = STATISTICS.flatMap((statistic) => [
  { statistic, desc: true },
  { statistic, desc: false },
]);

describe("places equal those counted paper by paper", () => {
  test.each(RULINGS)("%o", (rankBy) => {
    const run = madeUp(7, 120);
    const places = placesOf(run, rankBy);
    for (const paper of all(run)) {
      const before = slowRange(run, "given", rankBy, all(run), paper);
      const now = slowRange(run, "dequantized", rankBy, all(run), paper);
      expect(rangeAt(places.before, paper)).toEqual(before);
      expect(rangeAt(places.now, paper)).toEqual(now);
      const middle = (range: typeof now) => (range ? (range.first + range.last) / 2 : Number.NaN);
      expect(places.change[paper]).toBe(middle(before) - middle(now));
      const broken = before && now && before.last > before.first && now.last === now.first;
      expect(tieBroken(places, paper)).toBe(Boolean(broken));
      const up = before && now && now.last < before.first;
      const down = before && now && now.first > before.last;
      expect(leftRange(places, paper)).toBe(up ? "up" : down ? "down" : "same");
    }
  });
});

/** The parts of the line by their definitions, one track after the other. */
function slowLine(run: Run, rankBy: RankBy, accept: Accept) {
  const trackOf = (paper: number) => (accept.perTrack && run.view.papers.track?.[paper]) || null;
  const parts: Record<Part, number[]> = {
    ...{ stay: [], in: [], out: [], tied: [], close: [] },
  };
  let [places, open, unfilled] = [0, 0, 0];
  const former = { tied: 0, open: 0, in: 0 };
  for (const track of new Set(all(run).map(trackOf))) {
    const papers = all(run).filter((paper) => trackOf(paper) === track);
    const asked = accept.percent ? (papers.length * accept.amount) / 100 : accept.amount;
    const wanted = Math.min(papers.length, Math.round(asked));
    const scored = papers.filter((paper) => run.reviewsOf[paper]?.length);
    const line = Math.min(wanted, scored.length);
    const before = new Map(
      scored.map((paper) => [paper, slowRange(run, "given", rankBy, papers, paper)]),
    );
    const now = new Map(
      scored.map((paper) => [paper, slowRange(run, "dequantized", rankBy, papers, paper)]),
    );
    const where = (ranges: typeof now, paper: number) => {
      const range = ranges.get(paper);
      if (!range || range.first > line) return "below";
      return range.last <= line ? "above" : "across";
    };
    for (const paper of papers) {
      const [old, next] = [where(before, paper), where(now, paper)];
      if (old === "above" && next === "above") parts.stay.push(paper);
      if (old !== "above" && next === "above") parts.in.push(paper);
      if (old === "above" && next === "below") parts.out.push(paper);
      if (next === "across") parts.tied.push(paper);
    }
    const tied = papers.filter((paper) => where(before, paper) === "across");
    former.tied += tied.length;
    former.open += line - papers.filter((paper) => where(before, paper) === "above").length;
    former.in += tied.filter((paper) => where(now, paper) === "above").length;
    places += wanted;
    unfilled += wanted - line;
    open += line - papers.filter((paper) => where(now, paper) === "above").length;
  }
  return { parts, places, open, unfilled, before: former };
}

describe("the line equals its definitions, counted paper by paper", () => {
  const run = madeUp(11, 90);
  const amounts = [0, 1, 7, 20, 45, 88, 90, 1000].map((amount) => ({ amount, percent: false }));
  const shares = [0, 1, 12.5, 25, 50, 99, 100].map((amount) => ({ amount, percent: true }));
  const asks = [...amounts, ...shares].flatMap((ask) => [
    { ...ask, perTrack: false },
    { ...ask, perTrack: true },
  ]);
  test.each(asks)("%o", (accept) => {
    for (const rankBy of [
      { statistic: "mean", desc: true },
      { statistic: "min", desc: true },
      { statistic: "median", desc: false },
    ] as const) {
      const line = lineOf(run, rankBy, accept);
      const slow = slowLine(run, rankBy, accept);
      for (const part of PARTS) {
        expect(all(run).filter((paper) => line.parts[part][paper])).toEqual(
          slow.parts[part].sort((a, b) => a - b),
        );
        expect(line.counts[part]).toBe(slow.parts[part].length);
      }
      expect([line.places, line.open, line.unfilled]).toEqual([
        slow.places,
        slow.open,
        slow.unfilled,
      ]);
      const above = line.above.reduce((sum, one) => sum + one, 0);
      expect(above).toBe(line.places - line.unfilled);
      expect(line.counts.stay + line.counts.in + line.open).toBe(above); // the sentence adds up
      expect(line.before).toEqual(slow.before);
      const numbers = Object.values(sumOf(line))
        .filter(Boolean)
        .map((text) => Number(/^[\d,]+/.exec(text as string)?.[0].replace(",", "") ?? 0));
      const dropped = numbers.pop();
      expect(numbers[0]).toBe(numbers.slice(1).reduce((sum, one) => sum + one, 0));
      expect(dropped).toBe(line.counts.out);
    }
  });
  test("the cases above hold ties at the line, papers in and out", () => {
    const lines = asks.map((accept) => lineOf(run, { statistic: "mean", desc: true }, accept));
    // The made-up runs were not asked how sure they are.
    for (const part of PARTS.filter((name) => name !== "close"))
      expect(lines.some(({ counts }) => counts[part] > 0)).toBe(true);
    expect(lines.some(({ unfilled }) => unfilled > 0)).toBe(true);
  });
});

describe("the line as a sum in words", () => {
  /** The sum for given means, and means now, of papers that stand in one track, or in the named ones. */
  function sumFor(before: number[], now: number[], amount: number, tracks?: string[]): string {
    const scores = Object.fromEntries(before.map((score, paper) => [paper + 1, [score]]));
    const { view } = runOf(scores);
    const run = openRun({
      ...view,
      papers: { ...view.papers, track: tracks ?? null },
      reviews: { ...view.reviews, dequantized: now },
    });
    const accept = { amount, percent: false, perTrack: tracks !== undefined };
    return sumText(lineOf(run, { statistic: "mean", desc: true }, accept));
  }
  test.each([
    [
      [5, 4, 4, 4, 3],
      [5, 4.2, 4, 3.9, 4.1],
      3,
      "3 in: 1 as before, 1 of the 3 that were tied for the last 2 places, 1 from below; none drops out",
    ],
    [[5, 4, 3, 2], [5, 2.9, 3, 2], 2, "2 in: 1 as before, 1 from below; 1 drops out"],
    [[5, 4, 3, 2], [5, 4, 3, 2], 2, "2 in: 2 as before; none drops out"],
    [
      [4, 4, 4],
      [4.2, 4.1, 4],
      2,
      "2 in: 2 of the 3 that were tied for the 2 places; none drops out",
    ],
    [
      [4, 4, 4],
      [4.2, 4, 4],
      2,
      "2 in: 1 of the 3 that were tied for the 2 places, 1 of the 2 that are still tied; none drops out",
    ],
    [
      [5, 4, 4],
      [5, 4.1, 4],
      2,
      "2 in: 1 as before, 1 of the 2 that were tied for the last place; none drops out",
    ],
    [[4, 4], [4, 4], 1, "1 in: 1 of the 2 that are still tied; none drops out"],
    [[5, 4, 3, 2, 1, 1], [1, 2, 5, 4, 3, 1], 3, "3 in: 1 as before, 2 from below; 2 drop out"],
    [[5, 4], [5, 4], 0, "0 in; none drops out"],
  ] as const)("%j to %j, %d in", (before, now, amount, text) =>
    expect(sumFor([...before], [...now], amount)).toBe(text),
  );
  test("tracks are added up", () =>
    expect(sumFor([5, 4, 4, 5, 4], [5, 4.1, 4, 4, 5], 1, ["A", "A", "A", "B", "B"])).toBe(
      "2 in: 1 as before, 1 from below; 1 drops out",
    ));
});

describe("in words", () => {
  test.each([
    [1, "1st"],
    [2, "2nd"],
    [3, "3rd"],
    [11, "11th"],
    [112, "112th"],
    [121, "121st"],
    [1003, "1,003rd"],
  ])("%d is %s", (place, text) => expect(ordinal(place)).toBe(text));
  const mean = { statistic: "mean", desc: true } as const;
  test("a tie that rankings broke, with who and which", () => {
    // By given scores 7 and 10 are tied for 2–3; now 10 is before 7.
    expect(placeSentence(sampleRun(), 2, mean)).toBe(
      "2nd of 4 by mean, because the other reviewers scored it higher (+0.20); by given scores tied with 1 other for 2–3.",
    );
    expect(placeSentence(sampleRun(), 1, mean)).toMatch(
      /^3rd of 4 by mean, because .*; by given scores tied with 1 other for 2–3\.$/,
    );
  });
  test("rankings name the reviewers and the papers, those tied before first", () => {
    const view = sampleView();
    const run = openRun({
      ...view,
      reviews: { ...view.reviews, consensus: view.reviews.consensus.map(() => 0) },
      bindings: {
        ...{ reviewer: [1, 2, 1], better: [2, 2, 2], worse: [0, 3, 1] },
        ...{ lifts: [0.1, 0.1, 0.1], lowers: [0.1, 0.1, 0.1] },
      },
    });
    run.view.reviews.ranking = run.view.reviews.paper.map((paper) => (paper === 2 ? 0.2 : 0));
    expect(placeSentence(run, 2, mean)).toMatch(
      /because Bo and Reviewer 3 rank it over papers 7, 2 and 30;/,
    );
  });
  test("a paper that nothing pushes changes its place because others move", () => {
    const view = sampleView();
    const still = view.reviews.paper.map(() => 0);
    const run = openRun({
      ...view,
      reviews: { ...view.reviews, consensus: still, ranking: still },
    });
    // The mean of paper 10 rose; that of paper 7 fell.
    expect(placeSentence(run, 2, mean)).toMatch(/other papers moved further down;/);
    movesOf(run)[1] = 0;
    expect(placeSentence(run, 1, mean)).toMatch(
      /because other papers moved, and its own mean did not;/,
    );
  });
  test("an area chair's places are among their papers", () => {
    const viewer = { role: "area_chair", name: "Ann", reviewer_names: false } as const;
    expect(placeSentence(sampleRun({ viewer }), 3, mean)).toBe(
      "1st of your 4 papers by mean; as by given scores.",
    );
  });
});
