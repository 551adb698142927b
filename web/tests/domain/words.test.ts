import { describe, expect, it } from "vitest";

import { RequestProblem } from "../../src/api/client";
import { refusalOf, secretIn, waitInWords } from "../../src/features/entrance/secret";
import { adviceFor, placesInWords, titleOf } from "../../src/domain/issueKinds";
import { sizeInWords } from "../../src/domain/size";
import { exportPath } from "../../src/features/runs/exportToSystem";
import { lambdaInWords, stageInWords } from "../../src/domain/words";

describe("a link's secret", () => {
  it.each([
    ["http://127.0.0.1:8351/enter#abc", "abc"],
    ["  /enter#abc \n", "abc"],
    ["#abc", "abc"],
    ["abc", "abc"],
    ["", ""],
  ])("in %j is %j", (pasted, secret) => {
    expect(secretIn(pasted)).toBe(secret);
  });
  it("that is wrong, ended or revoked gets one and the same sentence", () => {
    expect(refusalOf(new RequestProblem(401, "x"))).toMatch(/mistyped, has ended, or was revoked/);
  });
  it("tried too often has to wait", () => {
    expect(refusalOf(new RequestProblem(429, "x", 8))).toMatch(/wait 8 seconds/);
    expect(waitInWords(1)).toBe("1 second");
    expect(waitInWords(120)).toBe("2 minutes");
  });
});

it("sizes are short", () => {
  expect([0, 999, 1536, 20_480, 999_700, 3e9].map(sizeInWords)).toEqual([
    "0 bytes",
    "999 bytes",
    "1.5 kB",
    "20 kB",
    "1.0 MB",
    "3.0 GB",
  ]);
});

it("kinds have titles and advice, known or not", () => {
  expect(titleOf("contradiction")).toBe("Ranking contradicts scores");
  expect(titleOf("new-kind")).toBe("New-kind");
  expect(adviceFor("new-kind", "ask the reviewer")).toBe("Ask the reviewer.");
});

it("λ and stages in words", () => {
  expect([4, 54.598150033, "inf", null].map((lam) => lambdaInWords(lam))).toEqual([
    "4",
    "54.6",
    "∞",
    "",
  ]);
  expect(stageInWords("queued", null)).toBe("Waiting for its turn");
  expect(stageInWords("running", "validating")).toBe("Choosing λ");
  expect(stageInWords("running", "packing")).toBe("Packing");
});

it("an export says what its system needs and nothing else", () => {
  const choice = { tag: "dq", perReview: true, invitation: "V/-/Score & more" };
  expect(exportPath("r", { ...choice, target: "hotcrp" })).toBe(
    "runs/r/export/hotcrp?tag=dq&per_review=true",
  );
  expect(exportPath("r", { ...choice, target: "openreview" })).toBe(
    "runs/r/export/openreview?invitation=V%2F-%2FScore+%26+more",
  );
});

it("places in one file are told together", () => {
  expect(placesInWords(["a.csv, line 2", "a.csv, line 5", "b.json", "c, d.csv, row 7"])).toBe(
    "a.csv, lines 2, 5; b.json; c, d.csv, row 7",
  );
});
