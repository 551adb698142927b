import { describe, expect, it } from "vitest";

import {
  checkFor,
  usedFiles,
  formFrom,
  importAddress,
  mistakesIn,
  queryFor,
  type ImportForm,
} from "../../src/domain/importForm";

const CHOSEN: ImportForm = {
  without: ["a", "b"],
  format: "hotcrp",
  columns: { reviewer: "Who", score: "Overall, merit" },
  missing: "score=0; rank=",
  score_fields: "Overall merit; Score",
  ranker: "mara@example.org",
  encoding: "cp1252",
  duplicates: "mean",
  match_ids: "never",
  keep_withdrawn: true,
  count_drafts: true,
  conflicts: "rankings",
  unranked: "below",
  epsilon: "0.1",
  scale: "D,C,B,A",
  ignore_rankings: true,
  lam: "inf",
  uncertainty: true,
  calibrate: true,
};

function written(form: ImportForm): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(queryFor(form)))
    if (value !== null) query.set(name, value);
  return query;
}

describe("the form in the address", () => {
  it("come back as they were", () => {
    expect(formFrom(new URLSearchParams(written(CHOSEN).toString()))).toEqual(CHOSEN);
  });
  it("leave the address empty as long as nothing was chosen", () => {
    expect(written(formFrom(new URLSearchParams())).toString()).toBe("");
  });
  it("fall back where somebody edited the address", () => {
    const form = formFrom(new URLSearchParams("conflicts=maybe&format=word&unranked="));
    expect([form.conflicts, form.format, form.unranked]).toEqual(["refuse", "auto", "apart"]);
  });
});

describe("what the server is asked", () => {
  it("takes ticked files; those for ballots start without a tick", () => {
    const files = ["a", "b", "c", "d"].map((id) => ({ id, for_ballots: id === "b" || id === "d" }));
    expect(usedFiles(CHOSEN, files)).toEqual(["b", "c"]);
    expect(usedFiles({ ...CHOSEN, without: [] }, files)).toEqual(["a", "c"]);
  });

  it("splits fields, and turns empty into nothing", () => {
    const wanted = checkFor({ ...CHOSEN, ranker: " ", scale: "" }, ["c"]);
    expect(wanted.files).toEqual(["c"]);
    expect(wanted.reading.score_fields).toEqual(["Overall merit", "Score"]);
    expect(wanted.reading.missing).toEqual({ score: "0", rank: "" });
    expect(wanted.reading.ranker).toBeNull();
    expect(wanted.reading).toMatchObject({
      encoding: "cp1252",
      duplicates: "mean",
      match_ids: "never",
    });
    expect(wanted.method).toEqual({
      scale: null,
      epsilon: 0.1,
      conflicts: "rankings",
      unranked: "below",
      ignore_rankings: true,
    });
  });
  it("is made from a run's settings again", () => {
    const { reading, method } = checkFor(CHOSEN, []);
    const address = importAddress("c1", {
      reading,
      method,
      lam: "inf",
      uncertainty: true,
      calibrate: true,
    } as never);
    const [path, query] = address.split("?");
    expect(path).toBe("/c/c1");
    expect(formFrom(new URLSearchParams(query))).toEqual({ ...CHOSEN, without: [] });
  });
});

describe("mistakes", () => {
  it.each([
    [{ epsilon: "0" }, "epsilon"],
    [{ epsilon: "" }, "epsilon"],
    [{ epsilon: "1e999" }, "epsilon"],
    [{ lam: "0" }, "lam"],
    [{ lam: "much" }, "lam"],
  ])("%o is one", (changes, field) => {
    expect(Object.keys(mistakesIn({ ...CHOSEN, ...changes }))).toEqual([field]);
  });
  it.each(["auto", "auto+", "inf", "0.5", "1e3"])("λ may be %s", (lam) => {
    expect(mistakesIn({ ...CHOSEN, lam })).toEqual({});
  });
});
